import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import {
  confirmationLinks,
  confirmToken,
  createEntry,
  dataToken,
  emailedLinks,
  postForm,
  request,
  site,
  unsubscribeToken,
  visibleText,
} from "#tests/support/pool/built.ts";
import { db, freshStorageForEachTest, rows, sampleCases } from "#tests/support/pool/start.ts";

/*
 * Every link that an email gives to one person: what it does, and that nobody and nothing else can make it do so. What
 * their pages say besides: confirm.test.ts, unsubscribe.test.ts and my-data.test.ts.
 */

const log = freshStorageForEachTest();

const ADA = "ada@example.com";
const oneClickForm = { "List-Unsubscribe": "One-Click" };

async function database() {
  const tables = ["waitlist_emails", "email_outbox", "suppressions", "erased_totals"] as const;
  return Promise.all(tables.map((table) => rows(table)));
}

const textOf = async (url: string) => visibleText((await request(url)).body);

interface Link {
  /** Gives Ada an entry. @returns the page of the link, and the other links of the same email */
  get: () => Promise<{ page: string; others: string[] }>;
  shows: string;
  /** The page's buttons, or those of several that matter here. */
  buttons: string[];
  fields: Record<string, string>;
  /** What the page says after a click, and after one more. */
  says: [string, string];
  becomes: object;
}

const toEntry = async (state: "active" | "unsubscribed") => {
  await createEntry(state, ADA);
  const { page, oneClick, all } = await emailedLinks(ADA);
  // Only the deployed Worker has the pictures.
  return { page, oneClick, others: all.filter((link) => link !== page && !link.endsWith(".png")) };
};

const links: Record<string, Link> = {
  "the link to an entry": {
    get: () => toEntry("active"),
    shows: "a•••@e•••.com is on the waitlist",
    buttons: ["Unsubscribe", "Show my data"],
    fields: { intent: "unsubscribe" },
    says: ["You’ve unsubscribed.", "You’d already unsubscribed."],
    becomes: { status: "unsubscribed" },
  },
  "the link to an entry of someone who has left": {
    get: () => toEntry("unsubscribed"),
    shows: "a•••@e•••.com is no longer on the waitlist",
    buttons: ["Rejoin", "Never email this address again", "Show my data"],
    fields: { intent: "rejoin" },
    says: ["You’re back on the waitlist.", "You were already on the waitlist."],
    becomes: { status: "active" },
  },
  "the link to an entry that has expired": {
    async get() {
      const token = await dataToken(await createEntry("active", ADA), undefined, Date.now() - 31 * 24 * 3_600_000);
      return { page: `${site.SITE_URL}/your-data/${token}`, others: [] };
    },
    shows: "This link has expired",
    buttons: ["Email me a new link"],
    fields: { intent: "new-link" },
    says: Array(2).fill("If your address is still on record, we’ve emailed you a new link.") as [string, string],
    becomes: { status: "active" },
  },
  "the link to unsubscribe": {
    async get() {
      const { page, oneClick, others } = await toEntry("active");
      return { page: oneClick.replace(/\/one-click$/, ""), others: [page, ...others] };
    },
    shows: "a•••@e•••.com is on the waitlist",
    buttons: ["Unsubscribe"],
    fields: {},
    says: ["You’ve unsubscribed.", "You’d already unsubscribed."],
    becomes: { status: "unsubscribed" },
  },
  "the link to confirm": {
    async get() {
      await createEntry("unconfirmed", ADA);
      const { confirm, oneClick } = await confirmationLinks(ADA);
      return { page: confirm, others: [oneClick] };
    },
    shows: "Is a•••@e•••.com your address",
    buttons: ["Confirm my address"],
    fields: {},
    says: ["Your address is confirmed. a•••@e•••.com is on the waitlist.", "Your address was already confirmed."],
    becomes: { status: "active", confirmed_at: expect.any(Number) },
  },
};

/** Headers of scanners, previews and prefetching browsers. */
const scannerHeaders: Record<string, string>[] = [
  {},
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;prerender" },
  { Purpose: "prefetch", "X-Moz": "prefetch", "X-Purpose": "preview" },
  { "User-Agent": "Mozilla/5.0 (compatible; SafeLinks)" },
];
const scans = scannerHeaders.flatMap((headers) => ["GET", "HEAD", "GET"].map((method) => ({ method, headers })));

/** Opens a link, follows its redirect, and opens every entry link on the page, as an email scanner would. */
async function scan(link: string, method: string, headers: Record<string, string>): Promise<void> {
  const response = await request(link, { method, headers });
  expect([200, 303], `${method} ${link}`).toContain(response.status);
  const next = response.headers["location"];
  if (next !== undefined) expect((await request(new URL(next, link).href, { method, headers })).status).toBe(200);
  for (const [, target = ""] of response.body.matchAll(
    /(?:href|action)="([^"#]*(?:your-data|unsubscribe|confirm)[^"#]*)"/g,
  )) {
    await request(new URL(target, link).href, { method, headers });
  }
}

const guesses = ["", ".data", "?intent=erase", "?intent=rejoin", "?done=never", "?List-Unsubscribe=One-Click"];

describe.each(Object.entries(links))("%s", (_name, { get, shows, buttons, fields, says, becomes }) => {
  test("does one thing, once, to one entry, after a click; until then it changes nothing, whoever opens it", async () => {
    const { page, others } = await get();
    await createEntry("active", "grace@example.com");
    const token = page.split("/").at(-1) ?? "";
    const before = await database();
    const { status, body } = await request(page);
    expect(status).toBe(200);
    expect(visibleText(body)).toContain(shows);
    const main = /<main.*<\/main>/s.exec(body)?.[0] ?? "";
    const shown = Array.from(main.matchAll(/<button[^>]*>([^<]+)</g), ([, label]) => label);
    expect(shown).toEqual(page.includes("/your-data/") ? expect.arrayContaining(buttons) : buttons);
    expect(body).not.toContain(ADA);
    // A page that does one thing links to none that does more.
    expect(body.replaceAll(token, "")).not.toMatch(/(?:your-data|unsubscribe|confirm)\/\w/);

    for (const link of [...others, ...guesses.map((guess) => page + guess)]) {
      for (const { method, headers } of sampleCases(scans)) await scan(link, method, headers);
      expect(await database(), link).toEqual(before);
    }

    const clicked = [];
    for (const said of says) {
      const response = await postForm(page, fields);
      expect(response.status).toBe(303);
      const next = new URL(response.headers["location"] ?? "", page);
      expect(next.pathname).toBe(new URL(page).pathname);
      expect(await textOf(next.href)).toContain(said);
      await scan(page, "GET", { "Sec-Purpose": "prefetch" });
      clicked.push(await database());
    }
    expect(clicked[0]).not.toEqual(before);
    expect(clicked[1]).toEqual(clicked[0]);
    expect(await rows("waitlist_emails")).toMatchObject([becomes, { email: "grace@example.com", status: "active" }]);
    // Those that changed nothing are sampled.
    const changes = log.filter((line) => /"entry-changed-by-subscriber".*"changed":true/.test(line));
    expect(changes).toHaveLength(shows.includes("expired") ? 0 : 1);
    expect(log.filter((line) => line.includes("@") || line.includes(token))).toEqual([]);
  });
});

interface Kind {
  state: "active" | "unconfirmed";
  sign: (id: number, secret?: string) => Promise<string>;
  /** Every form that its holder can send, as what follows the link and fields. */
  forms: [string, Record<string, string>][];
}

/** Headers of a form that another site sends. */
const foreign: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site" },
];

/** By the first segment of the link's path. */
const kinds: Record<string, Kind> = {
  "your-data": {
    state: "active",
    sign: dataToken,
    forms: [
      ...["unsubscribe", "rejoin", "erase", "never", "show-data", "new-link"].map(
        (intent): [string, Record<string, string>] => ["", { intent }],
      ),
      ["/export", { intent: "export" }],
    ],
  },
  unsubscribe: {
    state: "active",
    sign: unsubscribeToken,
    forms: [
      ["", {}],
      ["", { intent: "erase" }],
      ["/one-click", oneClickForm],
    ],
  },
  confirm: {
    state: "unconfirmed",
    sign: confirmToken,
    forms: [
      ["", {}],
      ["", { intent: "erase" }],
    ],
  },
};

const pageOf = (folder: string, token: string) => `${site.SITE_URL}/${folder}/${token}`;

/** Sends every request that the holder of a link can make. */
function allRequests(page: string, { forms }: Kind, overrides: object = {}) {
  return Promise.all([
    request(page, {}, overrides),
    request(page, { method: "HEAD" }, overrides),
    request(`${page}.data`, {}, overrides),
    ...forms.map(([suffix, fields]) => postForm(page + suffix, fields, overrides)),
  ]);
}

/** Ways a token gets damaged in transit, or forged. All others: tests/worker/tokens.property.test.ts. */
const damages: Record<string, (token: string, sign: Kind["sign"]) => Promise<string> | string> = {
  "cut by one character": (token) => token.slice(0, -1),
  "with an extra character": (token) => `${token}A`,
  "pasted twice": (token) => token + token,
  "with a trailing full stop": (token) => `${token}.`,
  "broken by a percent sign": (token) => `${token}%`,
  "broken by a quoted-printable line break": (token) => `${token.slice(0, 10)}=%0D%0A${token.slice(10)}`,
  "broken by bytes that are not UTF-8": (token) => `${token.slice(0, 10)}%E9${token.slice(10)}`,
  "signed with a foreign secret": (token, sign) => sign(Number.parseInt(token, 36), "x".repeat(32)),
};

describe.each(Object.entries(kinds))("a link to /%s", (folder, kind) => {
  const newPage = async () => pageOf(folder, await kind.sign(await createEntry(kind.state, ADA)));

  test.each(sampleCases(Object.entries(damages)))(
    "whose token is %s gets the same 404 for an active, unsubscribed, unconfirmed or missing entry, and changes nothing",
    async (_how, damage) => {
      const seen = new Set<string>();
      for (const state of ["active", "unsubscribed", "unconfirmed", "missing"] as const) {
        const id = state === "missing" ? 999 : await createEntry(state, `${state}@example.com`);
        const before = await database();
        const token = await damage(await kind.sign(id), kind.sign);
        const responses = await allRequests(pageOf(folder, token), kind);
        // What shows or downloads data leads back to the page.
        const statuses = kind.forms.map(([, { intent = "" }]) => (/show|export/.test(intent) ? 303 : 404));
        expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, ...statuses]);
        expect(responses[0]?.body).toContain("This link is incomplete");
        const text = JSON.stringify(responses);
        const masked = text.replace(/(?<=\/(?:your-data|unsubscribe|confirm)\/)[^"/?\\]+/g, "TOKEN");
        seen.add(masked.replace(/nonce([-="\\]+)[\w+/=-]+/g, "NONCE"));
        expect(await database()).toEqual(before);
      }
      expect([...seen]).toHaveLength(1);
      expect([...seen].join()).not.toMatch(/@example\.com|•••/);
    },
  );

  test("is never cached, indexed or sent as a referrer, and tells no third party, in any state", async () => {
    const page = await newPage();
    const ids = { GA_MEASUREMENT_ID: "G-ABC123DEF4", META_PIXEL_ID: "1234567890", CF_BEACON_TOKEN: "0123456789abcdef" };
    const responses = [...(await allRequests(page, kind, ids)), await request(page, {}, ids)];
    await eraseEntry(db, 1, 0);
    for (const path of [page, `${page}x`, `${page}/one-click`, `${page}/export`]) {
      responses.push(await request(path, {}, ids));
    }
    for (const { headers, body } of responses) {
      expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
      expect(headers["x-robots-tag"]).toBe("noindex");
      for (const id of Object.values(ids)) expect(body).not.toContain(id);
    }
    expect((await request(site.SITE_URL, {}, ids)).body).toContain(ids.GA_MEASUREMENT_ID);
  });

  test("says that an erased entry is gone, and reaches no later one", async () => {
    const page = await newPage();
    await eraseEntry(db, 1, 0);
    await createEntry(kind.state, ADA);
    const before = await rows("waitlist_emails");
    await allRequests(page, kind);
    expect(await textOf(page)).toContain("entry for this link no longer exists");
    expect(await rows("waitlist_emails")).toEqual(before);
  });

  test("ignores forms from other sites and false claims in its query", async () => {
    const page = await newPage();
    const before = await database();
    const text = await textOf(page);
    for (const [suffix, fields] of kind.forms.filter(([suffix]) => suffix !== "/one-click")) {
      for (const headers of foreign) {
        const init = { method: "POST", headers, body: new URLSearchParams(fields) };
        const { status, body, headers: sent } = await request(page + suffix, init);
        expect([status, sent["cache-control"], sent["referrer-policy"]]).toEqual([403, "no-store", "same-origin"]);
        expect(body).not.toMatch(/ada@|•••/);
      }
    }
    const claims = ["unsubscribe", "erase", "never", "new-link", "confirm", "__proto__", "constructor", "<b>"];
    for (const claim of claims) expect(await textOf(`${page}?done=${claim}&already=${claim}&under-way`)).toBe(text);
    expect(await database()).toEqual(before);
  });

  test("does not log its token, and shows no entry without these headers, for any spelling of its URL", async () => {
    const token = await kind.sign(await createEntry("active", ADA));
    let shown = 0;
    const usual = `/${folder}/${token}`;
    const others = [
      `/${folder}/${token}%`,
      `/${folder}/%E9${token}`,
      `/%/${folder}/${token}`,
      `/${folder}/${token}/%ZZ`,
      `/${folder.toUpperCase()}/${token}`,
      `/%${folder.charCodeAt(0).toString(16)}${folder.slice(1)}/${token}`,
      `/${folder.replace("-", "%2D")}/${token}`,
      `/${folder}%2F${token}`,
      `//${folder}//${token}`,
    ];
    for (const replaced of [{}, { DB: null }]) {
      for (const spelling of [usual, ...sampleCases(others)]) {
        for (const suffix of ["", ".data", "/export", "/one-click", "%", "/"]) {
          const url = `${site.SITE_URL}${spelling}${suffix}`;
          const { body, headers } = await request(url, {}, replaced);
          if (body.includes("•••")) {
            shown += 1;
            expect(headers, url).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
          }
          for (const headers of [new Headers(), { Accept: "text/html", Origin: "https://evil.example" }]) {
            const body = new URLSearchParams({ intent: "unsubscribe" });
            await request(url, { method: "POST", headers, body }, replaced);
          }
        }
      }
    }
    expect(shown).toBeGreaterThan(0);
    expect(log.join()).toContain("page-failed");
    expect(log.filter((line) => line.includes(token) || line.includes("@"))).toEqual([]);
  });
});

test("each token opens its own page only, also where HASH_KEY and LINK_SECRET are the same", async () => {
  const id = await createEntry("unconfirmed", ADA);
  const before = await database();
  for (const same of [false, true]) {
    const overrides = same ? { LINK_SECRET: env.HASH_KEY } : {};
    for (const [folder, kind] of Object.entries(kinds)) {
      for (const [other, { sign }] of Object.entries(kinds)) {
        const page = pageOf(folder, await sign(id, same ? env.HASH_KEY : undefined));
        expect((await request(page, {}, overrides)).status, page).toBe(other === folder ? 200 : 404);
        if (other === folder) continue;
        const responses = await allRequests(page, kind, overrides);
        expect(responses.map(({ body }) => body).join()).not.toMatch(/•••|ada@/);
        expect(await database(), page).toEqual(before);
      }
    }
  }
});

test("replacing LINK_SECRET ends links to entries and to confirm, unless the previous one is set, and none to unsubscribe", async () => {
  const id = await createEntry("unconfirmed", ADA);
  const rotated = { LINK_SECRET: "a-new-secret-a-new-secret-a-new-secret", LINK_SECRET_PREVIOUS: "x".repeat(32) };
  const withPrevious = { ...rotated, LINK_SECRET_PREVIOUS: env.LINK_SECRET };
  for (const [folder, status] of [
    ["your-data", 404],
    ["confirm", 404],
    ["unsubscribe", 200],
  ] as const) {
    const page = pageOf(folder, (await kinds[folder]?.sign(id)) ?? "");
    expect((await request(page, {}, rotated)).status, page).toBe(status);
    expect((await request(page, {}, withPrevious)).status, page).toBe(200);
  }
  const page = pageOf("your-data", await dataToken(id));
  expect((await postForm(page, { intent: "erase" }, rotated)).status).toBe(404);
  expect((await postForm(pageOf("confirm", await confirmToken(id)), {}, withPrevious)).status).toBe(303);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active", confirmed_at: expect.any(Number) }]);
  const oneClick = `${pageOf("unsubscribe", await unsubscribeToken(id))}/one-click`;
  expect((await postForm(oneClick, oneClickForm, { HASH_KEY: "x".repeat(32) })).status).toBe(404);
  expect((await postForm(oneClick, oneClickForm, rotated)).status).toBe(200);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
});
