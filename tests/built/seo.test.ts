import { describe, expect, test } from "vitest";
import { pages } from "#app/pages.server.ts";
import { site } from "#app/site.ts";
import { escaped, read } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const SITE_URL = "http://localhost:8787";
const paths = pages.map(({ path }) => path);

/** The content of a meta element, by name or property. */
function metaContent(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
}

describe.each(paths)("%s", (path) => {
  test("describes itself to search engines and link previews, also as structured data", async () => {
    const { body } = await read(path);
    const title = /<title>([^<]+)<\/title>/.exec(body)?.[1];
    expect(title).toContain(escaped(site.name));
    expect(body).toContain(`<link rel="canonical" href="${SITE_URL}${path}"/>`);
    expect(metaContent(body, "description")?.length).toBeGreaterThan(50);
    expect(metaContent(body, "og:title")).toBe(title);
    expect(metaContent(body, "og:url")).toBe(`${SITE_URL}${path}`);
    expect(metaContent(body, "og:image")).toBe(`${SITE_URL}/og.png`);
    expect(metaContent(body, "og:image:alt")).toBeTruthy();
    expect(metaContent(body, "twitter:card")).toBe("summary_large_image");
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? "");
    expect(data["@graph"].map((thing: { "@type": string }) => thing["@type"])).toEqual(["Organization", "WebSite"]);
  });
});

test("no two pages share a title or a description", async () => {
  const bodies = await Promise.all(paths.map(async (path) => (await read(path)).body));
  for (const name of ["og:title", "description"]) {
    expect(new Set(bodies.map((body) => metaContent(body, name))).size).toBe(paths.length);
  }
});

test("the sitemap lists the canonical URL of every page, and nothing else", async () => {
  const { headers, body } = await read("/sitemap.xml");
  expect(headers.get("Content-Type")).toContain("application/xml");
  const listed = Array.from(body.matchAll(/<loc>(.*?)<\/loc>/g), ([, url]) => url);
  expect(listed.toSorted()).toEqual(paths.map((path) => `${SITE_URL}${path}`).toSorted());
});

test("robots.txt allows crawlers and points to the sitemap", async () => {
  const { headers, body } = await read("/robots.txt");
  expect(headers.get("Content-Type")).toContain("text/plain");
  expect(body).toContain("User-agent: *");
  expect(body).not.toMatch(/^Disallow: \/$/m);
  expect(body).toContain(`Sitemap: ${SITE_URL}/sitemap.xml`);
});

test("llms.txt is Markdown with a title and a link to every page", async () => {
  const { body } = await read("/llms.txt");
  expect(body.split("\n")[0]).toBe(`# ${site.name}`);
  for (const path of paths) expect(body).toContain(`(${SITE_URL}${path})`);
});

test("the sign-up form is annotated as a tool for AI agents", async () => {
  const form = /<form.*?<\/form>/s.exec((await read("/")).body)?.[0];
  expect(form).toMatch(/<form[^>]* toolname="\w+"/);
  expect(form).toMatch(/<form[^>]* tooldescription="[^"]+"/);
  expect(form).toMatch(/<input[^>]* toolparamdescription="[^"]+"[^>]* name="email"/);
});

test("security.txt says whom to tell about a vulnerability, for less than a year from now", async () => {
  const { headers, body } = await read("/.well-known/security.txt", { CONTACT_EMAIL: "help+it@site.example" });
  expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const fields = Object.fromEntries(
    body
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/)),
  );
  expect(Object.keys(fields).toSorted()).toEqual(["Canonical", "Contact", "Expires", "Preferred-Languages"]);
  expect(fields).toMatchObject({
    Contact: "mailto:help%2Bit@site.example",
    Canonical: `${SITE_URL}/.well-known/security.txt`,
    "Preferred-Languages": "en",
  });
  const days = (Date.parse(fields["Expires"] ?? "") - Date.now()) / (24 * 3_600_000);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});
