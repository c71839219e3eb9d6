import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { decideReferrals } from "#app/features/referrals/decide.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { milestones } from "#app/site.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { eraseEntry, eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { INVITATION } from "#app/waitlist/entries/personal-link.ts";
import { dataToken, post, read, request, visibleText } from "#tests/support/pool/built.ts";
import { db, emptyDatabase, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("referrals");
freshStorageForEachTest();

const codeOf = (id: number) => encodeCode(id, env.HASH_KEY);

test("a form posted without JavaScript to the address of a personal link records whose it was", async () => {
  const via = await codeOf(await join("ada@example.com"));
  const { status, body } = await post(`/?via=${via}&utm_source=fair`, { email: "grace@example.com" });
  expect(status).toBe(201);
  expect(body).toContain(`/?via=${await codeOf(2)}`);
  expect(await rows("referrals")).toMatchObject([{ entry_id: 2, referrer_id: 1, ruling: null }]);
  expect((await rows("waitlist_emails"))[1]).toMatchObject({ utm_source: "fair" });
});

test("a link that a message has put signs around or after credits the friend, with the form and the API", async () => {
  const code = await codeOf(await join("ada@example.com"));
  const typed = [
    "CODE.",
    "CODE),",
    "(CODE)",
    "“CODE”",
    "*CODE*",
    "_CODE_",
    "CODE…\u200b",
    "CODE?utm_source=x",
    "  CODE/\n",
  ];
  for (const [n, text] of typed.entries()) {
    const via = text.replace("CODE", n % 2 === 0 ? code : code.toUpperCase());
    await post(`/?via=${encodeURIComponent(via)}`, { email: `form${n}@example.com` });
    await post("/", { email: `field${n}@example.com`, via });
    const body = JSON.stringify({ email: `api${n}@example.com`, via });
    const headers = { "Content-Type": "application/json", Origin: env.SITE_URL };
    await request(`${env.SITE_URL}/api/signup`, { method: "POST", headers, body });
    expect(await rows("referrals"), via).toMatchObject(Array(3 * (n + 1)).fill({ referrer_id: 1 }));
  }
});

test("a text that only begins with a code credits no one", async () => {
  const code = await codeOf(await join("ada@example.com"));
  const texts = [`${code}a`, `${code}0`, `${code}é`, `a${code}`, code.slice(0, 7), `${".".repeat(200)}${code}`];
  for (const [n, via] of texts.entries()) await post("/", { email: `grace${n}@example.com`, via });
  expect(await rows("waitlist_emails")).toHaveLength(7);
  expect(await rows("referrals")).toEqual([]);
});

test("the page behind a personal link is the same for every code, also from the cache, and the usual one for other texts", async () => {
  const bindings = { RENDER_CACHE: "on" };
  const nonce = /nonce="[^"]*"|[\w+/=-]{22,24}(?=["'])/g;
  const via = await codeOf(await join("ada@example.com"));
  const plain = (await read("/", bindings)).body.replace(nonce, "");
  const pageOf = async (code: string) => (await read(`/?via=${code}`, bindings)).body.replace(nonce, "");
  const invited = await pageOf(via);
  expect(invited).toContain(INVITATION);
  for (const code of [via, await codeOf(2 ** 37)]) expect(await pageOf(code), code).toBe(invited);
  expect(await pageOf("x")).toBe(plain);
});

test("the page of an entry shows its link and numbers, and sets no cookie", async () => {
  const id = await join("ada@example.com");
  const page = `/your-data/${await dataToken(id)}`;
  expect((await read(page)).text).toContain("No one has joined through your link yet.");
  await post(`/?via=${await codeOf(id)}`, { email: "grace@example.com" });
  await env.DB.exec("UPDATE referrals SET ruling = 'counted'");
  await env.DB.exec(`INSERT INTO referrers (entry_id, counted) VALUES (${id}, 1)`);
  const { text, body, headers } = await read(page);
  expect(text).toContain("One person has joined through your link.");
  expect(body).toContain(`/?via=${await codeOf(id)}`);
  expect(text).not.toContain("grace");
  expect(headers.get("Set-Cookie")).toBe(null);
  // Addresses are not confirmed here, so that there is nothing to reach.
  for (const { reward } of milestones) expect(text).not.toContain(reward);
});

test("people read and download what is stored about how they came, with the owner's note and without whose link it was", async () => {
  const ada = await join("ada@example.com");
  await post(`/?via=${await codeOf(ada)}`, { email: "grace@example.com" });
  await env.DB.exec("UPDATE referrals SET ruling = 'accepted', note = 'We have met her'");
  const page = `/your-data/${await dataToken(2)}`;
  const shown = visibleText((await post(page, { intent: "show-data" })).body);
  expect(shown).toContain("Came through someone’s personal link Yes, and counts as their friend");
  expect(shown).toContain("Our note on that We have met her");
  const { body } = await post(`${page}/export`, {});
  expect(JSON.parse(body)).toMatchObject({
    came_through_a_personal_link: true,
    counts_as_a_friend: true,
    note_on_that: "We have met her",
  });
  for (const text of [shown, body]) expect(text).not.toContain("ada@");
});

test("what people read about how they came is the same for a code of no one, and once its person has erased their entry", async () => {
  const ada = await join("ada@example.com");
  await post(`/?via=${await codeOf(ada)}`, { email: "grace@example.com" });
  await post(`/?via=${await codeOf(2 ** 37)}`, { email: "joan@example.com" });
  const read = async (id: number) => {
    const { body } = await post(`/your-data/${await dataToken(id)}/export`, {});
    const { came_through_a_personal_link: came, counts_as_a_friend: counts, note_on_that: note } = JSON.parse(body);
    return { came, counts, note };
  };
  const before = await read(2);
  expect(before).toEqual({ came: true, counts: false, note: null });
  expect(await read(3)).toEqual(before);
  await env.DB.exec(`DELETE FROM waitlist_emails WHERE id = ${ada}`);
  expect(await read(2)).toEqual(before);
});

describe("without confirmation, a person's own page and the form say the same of an address", () => {
  const NOW = Date.now();
  const DAY = 24 * 3_600_000;
  const EMAIL = "grace@gmail.com";
  const hash = () => keyedHash("address:v1", EMAIL, env.HASH_KEY);
  const sinceYesterday = { now: NOW - DAY };

  /** Grace joins through the link of an entry. @returns the id of her entry */
  async function enter(referrer = 1, email = EMAIL): Promise<number> {
    await post(`/?via=${await codeOf(referrer)}`, { email });
    return (await rows<{ id: number }>("waitlist_emails")).at(-1)?.id ?? 0;
  }
  const count = () => decideReferrals(db, Date.now() + DAY, { mustConfirm: false, milestones, mayWrite: 900 });

  /** What someone can see who enters the address through their own link. */
  async function seen(prepare: () => Promise<unknown>) {
    await emptyDatabase();
    await join("ada@example.com", sinceYesterday);
    await join("bob@example.com", sinceYesterday);
    await prepare();
    // One case changes when everyone joined, which the ticket shows.
    await env.DB.exec("UPDATE waitlist_emails SET created_at = 1 WHERE id = 1");
    const page = `/your-data/${await dataToken(1, env.LINK_SECRET, NOW)}`;
    const own = async () => (await read(page)).body.replace(/nonce="[^"]*"|"nonce-[^"]*"/g, "");
    const signUp = async () => {
      const { status, body } = await post(`/?via=${await codeOf(1)}`, { email: EMAIL });
      return { status, text: visibleText(body).replace(/via=\w{8}/g, "") };
    };
    const seen = [await own(), await signUp(), await own(), await count(), await own(), await signUp(), await own()];
    return JSON.stringify(seen);
  }

  const leave = async (id: number) => void (await unsubscribeEntry(db, id, NOW));
  const getsNone = (reason: "complaint" | "never" | "hard-bounce") => async () =>
    suppress(db, { hashes: [await hash()], reason, until: null }, NOW);

  const cases: [string, () => Promise<unknown>][] = [
    ["erased itself", async () => eraseOwnEntry(db, await enter(2), await hash(), NOW)],
    ["had left when an owner erased it", () => enter(2).then((id) => leave(id).then(() => eraseEntry(db, id, NOW)))],
    ["has counted before", () => enter(2).then((id) => count().then(() => eraseEntry(db, id, NOW)))],
    [
      "had left under another spelling",
      async () => {
        await leave(await enter(2, "gra.ce@gmail.com"));
        // The daily limit of a mailbox has passed.
        await env.DB.exec("UPDATE email_outbox SET created_at = 1; UPDATE waitlist_emails SET created_at = 1");
      },
    ],
    ["gets no email: complaint", getsNone("complaint")],
    ["gets no email: never", getsNone("never")],
    ["gets no email: hard bounce", getsNone("hard-bounce")],
  ];

  test.each(cases)("that is new, and of one that %s", async (_, prepare) => {
    const fresh = await seen(async () => {});
    expect(fresh).toContain("They count.");
    expect(await seen(prepare)).toBe(fresh);
  });
});

test("someone who has left, an expired link and the time after the launch show no friends and ask for none", async () => {
  const id = await join("ada@example.com");
  const shown = async (issuedAt = Date.now(), vars = {}) =>
    (await read(`/your-data/${await dataToken(id, env.LINK_SECRET, issuedAt)}`, vars)).body;
  expect(await shown()).toContain("?via=");
  expect(await shown(Date.now(), { LAUNCH_URL: "https://product.example" })).not.toContain("?via=");
  expect(await shown(Date.now() - 40 * 24 * 3_600_000)).not.toContain("?via=");
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 1");
  expect(await shown()).not.toContain("?via=");
});

test("each code has a picture, whether or not it is someone's, and nothing else does", async () => {
  const pictures = [];
  for (const id of [await join("ada@example.com"), 2 ** 37]) {
    const { status, headers, body } = await read(`/qr/${await codeOf(id)}.svg`);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("image/svg+xml");
    expect(headers.get("Cache-Control")).toContain("immutable");
    expect(body).toMatch(/^<svg .*<\/svg>\n$/);
    pictures.push(body);
  }
  expect(new Set(pictures).size).toBe(2);
  for (const name of ["x.svg", "abcdefg1.svg", "abcdefgh", "abcdefgh.png", "..%2fabcdefgh.svg", "abcdefgh.svg.svg"]) {
    expect((await read(`/qr/${name}`)).status, name).toBe(404);
  }
  expect((await read(`/qr/${await codeOf(1)}.svg`, {}, "POST")).status).toBe(405);
});
