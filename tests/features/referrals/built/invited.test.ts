import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { INVITATION } from "#app/waitlist/entries/personal-link.ts";
import { send } from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshStorageForEachTest, join, needs } from "#tests/support/pool/start.ts";

needs("referrals");
freshStorageForEachTest();

const SITE_URL = "http://localhost:8787";
const unknown = "zzzz9999";

/** The landing page without its nonce. Each call is a new isolate. */
function startIsolate(vars: object = {}) {
  const { d1, executed } = meteredD1();
  const bindings = { ...env, DB: d1, ...vars };
  return {
    executed,
    async read(path: string, userAgent = "") {
      const { body, headers } = await send(path, { headers: { "User-Agent": userAgent } }, bindings);
      const nonce = /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "none";
      return { html: body.replaceAll(nonce, ""), link: headers.get("Link") };
    },
  };
}

const meta = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1];

test("a friend’s link opens with who invited, the same whether the code is someone’s or not", async () => {
  const code = await encodeCode(await join("ada@example.com"), env.HASH_KEY);
  const { read } = startIsolate({ RENDER_CACHE: "off" });
  const { html } = await read(`/?via=${code}`);
  expect(html).toMatch(new RegExp(`${INVITATION}</p><h1`));
  expect(html).not.toContain(code);
  expect((await read(`/?via=${unknown}&utm_source=chat`)).html).toBe(html);
  for (const path of ["/", "/?via=", "/?via=ada", "/privacy?via=zzzz9999"]) {
    expect((await read(path)).html, path).not.toContain(INVITATION);
  }
});

test("the page cache has one copy with and one without it, whatever the code, and neither needs the database", async () => {
  const { read, executed } = startIsolate({ RENDER_CACHE: "on" });
  const [usual, invited] = [await read("/"), await read(`/?via=${unknown}`)];
  expect([usual, invited].map(({ html }) => html.includes(INVITATION))).toEqual([false, true]);
  const rendered = executed.length;
  for (const path of ["/?via=abcd2345", "/?v%69a=efgh6789", `/?via=${unknown}`]) {
    expect(await read(path), path).toEqual(invited);
  }
  expect(await read("/?via=none")).toEqual(usual);
  expect(executed).toHaveLength(rendered);
});

test.each(["facebookexternalhit/1.1", "WhatsApp/2.23.20.0", "Twitterbot/1.0"])(
  "%s gets a ticket as the preview, and no address that would lose the code",
  async (userAgent) => {
    const { read } = startIsolate();
    const { html, link } = await read(`/?via=${unknown}`, userAgent);
    expect(meta(html, "og:image")).toBe(`${SITE_URL}/og-friend.png`);
    expect(meta(html, "og:image:alt")).toMatch(/ticket.*friend/i);
    expect(meta(html, "og:url")).toBeUndefined();
    expect(html).not.toContain('rel="canonical"');
    expect(link).toBe(`<${SITE_URL}/>; rel="canonical"`);
    expect((await read("/", userAgent)).link).toBeNull();
  },
);

test("after the launch a friend’s link opens the usual page", async () => {
  const { read } = startIsolate({ LAUNCH_URL: "https://app.example", RENDER_CACHE: "off" });
  expect(await read(`/?via=${unknown}`)).toEqual(await read("/"));
});
