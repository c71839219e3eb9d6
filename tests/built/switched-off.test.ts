import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pages } from "#app/pages.server.ts";
import { launchSentence } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";
import { confirmToken, dataToken, read } from "#tests/support/pool/built.ts";
import { mockFetch } from "#tests/support/pool/failures.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries, execute, freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";
import { type Switch, switchedOff } from "#tests/support/switched-off.ts";

/* What app/switches.ts switches off is gone. `npm run test:slow` runs this in a copy of the site with all of it off. */

const log = freshStorageForEachTest();
beforeEach(() => void vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network")));

const owner = signedInBrowser();
const vars = {
  SURVEY_URL: "https://forms.example/survey",
  GHOST_URL: "https://blog.example",
  GHOST_CONTENT_KEY: "0123456789abcdef01234567",
};

function without(name: Switch, tests: () => void) {
  describe(`without ${name}`, () => {
    beforeEach(({ skip }) => skip(switchedOff([name]) === null, `Switched on in app/switches.ts: ${name}`));
    tests();
  });
}

/** What visitors, search engines and AI assistants read, by address. */
async function readEverything(): Promise<Record<string, string>> {
  const addresses = [...pages.map(({ path }) => path), "/sitemap.xml", "/llms.txt", "/no-such-page"];
  const bodies = await Promise.all(addresses.map(async (path) => (await read(path, vars)).body));
  return Object.fromEntries(addresses.map((path, index) => [path, bodies[index] ?? ""]));
}

/** The addresses whose text has the pattern. */
async function placesOf(pattern: RegExp): Promise<string[]> {
  return Object.entries(await readEverything()).flatMap(([address, body]) => (pattern.test(body) ? [address] : []));
}

/** Replaces the network. @returns the addresses that are asked from now on */
function recordRequests(response: Response): string[] {
  const asked: string[] = [];
  mockFetch(async ({ url }) => {
    asked.push(url);
    return response.clone();
  });
  return asked;
}

const followUps = /\bfollow-?ups?\b|up to five/i;

const reachedMilestone = async (id: number) => {
  await env.DB.exec(`INSERT INTO referrers (entry_id, counted) VALUES (${id}, 3)`);
  await env.DB.exec(`INSERT INTO reached_milestones VALUES (${id}, 3, ${Date.now() - 120_000}, NULL)`);
};

/** A tablet, and a sign-up of it in this state and for this reason. */
const fairDevice = async (state: string) => {
  await env.DB.exec(
    "INSERT INTO fair_devices (event, source, code_hash, created_at, expires_at, public_key) VALUES ('Fair', 'fair', 'h', 0, 9e15, 'p')",
  );
  await env.DB.exec(`INSERT INTO fair_inbox VALUES ('a', 1, ${state}, 0, 0, '2026-11', 'x')`);
};

/** The owners' pages that are gone, what none of the others says, and what may be stored from before. */
const ofOwners: [Switch, string[], RegExp, ((id: number) => Promise<unknown>)?][] = [
  ["letters", ["/owner/letters", "/owner/letters/new", "/owner/letters/1"], /"\/owner\/letters/],
  ["series", ["/owner/series", "/owner/series/new", "/owner/series/1"], followUps],
  [
    "referrals",
    ["/owner/referrals", "/owner/referrals/1", "/owner/referrals/referrers.csv"],
    /referral|friend|milestone|personal link/i,
    reachedMilestone,
  ],
  ["api", ["/owner/api-keys"], /api-keys/],
  ["webhooks", ["/owner/webhooks", "/owner/webhooks/1"], /webhook/i],
  ["embed", ["/owner/embed"], /Forms on other sites|"\/owner\/embed/],
  [
    "fair",
    ["/owner/fair", "/owner/fair/1"],
    /At the fair|\btablet|"\/owner\/fair/i,
    () => fairDevice("'held', 'expired'"),
  ],
];

for (const [name, gone, mention, store] of ofOwners) {
  without(name, () => {
    test("owners have no page about it, and no other page mentions it", async () => {
      const id = await join("ada@example.com");
      await store?.(id);
      for (const path of gone) expect((await owner.request(path)).status, path).toBe(404);
      const { body } = await owner.request("/owner");
      const linked = Array.from(body.matchAll(/href="(\/owner[^"?#]*)"/g), ([, path = ""]) => path);
      expect(linked).toContain("/owner/entries");
      for (const path of new Set([...linked, "/owner/export", `/owner/entries/${id}`])) {
        const { status, body } = await owner.request(path);
        expect(status, path).toBe(200);
        expect(body, path).not.toMatch(mention);
      }
    });
  });
}

const picture = "0".repeat(32);

/** Addresses that are gone, and what no page, sitemap or summary says. */
const ofVisitors: [Switch, string[], RegExp][] = [
  ["survey", ["/survey", "/survey.data", "/survey/1"], /"[^"]*\/survey|\bsurveys?\b(?!Paper)/i],
  ["roadmap", ["/roadmap", "/roadmap.data", "/roadmap/1"], /"[^"]*\/roadmap|\broadmap\b/i],
  [
    "letters",
    ["/letters", "/letters.data", "/letters/1", `/letters/1/pictures/${picture}`],
    /"[^"]*\/letters|\bletters we/i,
  ],
  ["series", [], followUps],
  ["blog", [`/blog/pictures/${picture}`], /\bblog\b|\/posts\//i],
  ["visits", [], /count visits|totals of visits/i],
  ["share", [], /class="share"|Share \w+<|shared the site/],
  ["referrals", ["/qr/abcdefgh.svg"], /personal link|who invite friends|no one counts twice|\/qr\/|\?via=/i],
  ["api", ["/api/v1", "/api/v1/entries", "/api/v1/openapi.json"], /\/api\/v1/],
  ["embed", ["/api/embed"], /\/api\/embed/],
  ["fair", ["/fair", "/fair/manifest.webmanifest", "/fair/service-worker.js", "/fair/arm"], /\btablet/i],
  ["drawing", [], /class="market"/],
];

for (const [name, gone, mention] of ofVisitors) {
  without(name, () => {
    test("no page, sitemap or summary mentions it, and its addresses are gone", async () => {
      for (const address of gone) expect((await read(address, vars)).status, address).toBe(404);
      expect(await placesOf(mention)).toEqual([]);
    });
  });
}

without("survey", () => {
  test("no page may frame the configured form", async () => {
    for (const path of ["/", "/survey"]) {
      const { headers, body } = await read(path, vars);
      expect(headers.get("Content-Security-Policy") + body).not.toContain("forms.example");
    }
  });
});

without("letters", () => {
  test("a letter that was being sent stays where it was, and its recipients can unsubscribe", async () => {
    const id = await join("ada@example.com");
    await owner.runCron();
    owner.emails.length = 0;
    await storeLetter({ state: "sending", started_at: 1, expected: 1, newest_entry_id: 9 });
    await owner.runCron();
    expect(owner.emails).toEqual([]);
    expect(await rows("letters")).toMatchObject([{ state: "sending", queued: 0 }]);
    await env.DB.exec(
      `INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, ${id}, 'sent', ${Date.now()})`,
    );
    const { status } = await owner.post(`/your-data/${await dataToken(id)}`, { intent: "unsubscribe" });
    expect(status).toBe(303);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
    const recipients = await env.DB.prepare("SELECT unsubscribed_at FROM letter_recipients").all();
    expect(recipients.results).toEqual([{ unsubscribed_at: expect.any(Number) }]);
  });
});

without("series", () => {
  test("no email mentions follow-ups, nor does the form that is put on other sites", async () => {
    await join("ada@example.com");
    await owner.runCron();
    for (const { text, html } of owner.emails) expect(`${text}${html}`).not.toMatch(followUps);
    if (switches.embed) expect((await owner.request("/owner/embed")).body).not.toMatch(followUps);
  });

  test("a step that was on stays where it was", async () => {
    const id = await join("ada@example.com");
    await storeLetter({ state: "sending", subject: "Hello", step_id: 1, started_at: 1 });
    await execute(`INSERT INTO series_steps (id, days, hour, subject, preview_line, body, letter_id, since, created_at,
      updated_at) VALUES (1, 1, 0, 'Hello', '', 'Hello', 1, 1, 0, 0)`);
    const agreed = [Date.now() - 2 * 24 * 3_600_000, Object.keys(wordingTexts).at(-1), id];
    await execute("UPDATE waitlist_emails SET created_at = ?, consent_version = ? WHERE id = ?", ...agreed);
    await owner.runCron();
    expect(owner.emails.map(({ subject }) => subject)).not.toContain("Hello");
    expect(await rows("letters")).toMatchObject([{ state: "sending" }]);
    expect(await rows("series_steps")).toMatchObject([{ planned_day: null }]);
  });
});

without("blog", () => {
  test("a configured Ghost is not asked", async () => {
    const asked = recordRequests(Response.json({ posts: [] }));
    await readEverything();
    expect(JSON.parse((await read("/healthcheck", vars)).body)).not.toHaveProperty("blog");
    await owner.runCron();
    expect(asked).toEqual([]);
  });

  test("a wrong address of a blog is no problem of the configuration", async () => {
    await read("/", { GHOST_URL: "no address" });
    expect(log.join()).not.toContain("config-problem");
  });
});

without("visits", () => {
  test("no visit is counted", async () => {
    const headers = { "User-Agent": "Mozilla/5.0 Chrome/142", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none" };
    expect((await owner.request("/?utm_source=poster", { headers })).status).toBe(200);
    expect(await rows("page_visits")).toEqual([]);
  });

  test("the overview has no numbers of visits, also of those counted before", async () => {
    await join("ada@example.com", { utm_source: "poster" });
    const today = new Date().toISOString().slice(0, 10);
    const counts = JSON.stringify({ page: { "/": 40 }, utm_source: { newsletter: 8 } });
    await env.DB.prepare("INSERT INTO page_visits (day, counts) VALUES (?, ?)").bind(today, counts).run();
    await addEntries(10, Date.now());
    const { body } = await owner.request("/owner");
    expect(body).toContain("poster");
    expect(body).not.toMatch(/visits|landing page|newsletter/i);
    expect((await owner.request("/owner/links")).body).not.toMatch(/visits/i);
  });
});

without("referrals", () => {
  const mention = /personal link|your link|friend|\/qr\/|[?&"]via\b/i;
  /** The code of an entry's link, from when there were links. */
  const code = (id: number) => encodeCode(id, env.HASH_KEY);

  test("a sign-up with the code of a link is like any other, and its emails name no link", async () => {
    const via = await code(await join("ada@example.com"));
    const headers = { Origin: env.SITE_URL, "Content-Type": "application/json" };
    const body = JSON.stringify({ email: "grace@example.com", via });
    const response = await owner.request("/api/signup", { method: "POST", headers, body });
    expect(response.status).toBe(201);
    expect(response.body).not.toMatch(mention);
    expect((await owner.post(`/?via=${via}`, { email: "joan@example.com" })).body).not.toContain("own-link");
    expect(await rows("waitlist_emails")).toHaveLength(3);
    await owner.runCron();
    expect(owner.emails.map(({ to }) => to)).toEqual(expect.arrayContaining(["ada@example.com", "grace@example.com"]));
    for (const { text, html } of owner.emails) expect(`${text}${html}`).not.toMatch(mention);
    expect(await rows("referrals")).toEqual([]);
    expect((await read(`/?via=${via}`)).text).toBe((await read("/")).text);
  });

  test("someone's own pages and their export say nothing of links and friends", async () => {
    const id = await join("ada@example.com");
    const path = `/your-data/${await dataToken(id)}`;
    const confirmed = `/confirm/${await confirmToken(id)}`;
    const bodies = [
      (await read(path)).text,
      (await owner.post(path, { intent: "show-data" })).body,
      (await owner.post(`${path}/export`)).body,
      (await read(confirmed)).text,
    ];
    for (const body of bodies) expect(body.replace(/<(script|head)\b.*?<\/\1>/gs, "")).not.toMatch(mention);
  });

  test("an owner's export and emails say nothing of them", async () => {
    const id = await join("ada@example.com");
    await reachedMilestone(id);
    const mention = /referral|friend|milestone|personal link/i;
    expect((await owner.post("/owner/export.csv", { format: "csv" })).body).not.toMatch(mention);
    await owner.runCron();
    for (const { subject, text } of owner.emails) expect(`${subject}${text}`).not.toMatch(mention);
  });
});

without("webhooks", () => {
  test("events that wait are not sent", async () => {
    await env.DB.exec(
      `INSERT INTO webhook_endpoints (url, events, created_at) VALUES ('https://hooks.example/', '["entry.joined"]', 0)`,
    );
    await join("ada@example.com");
    const asked = recordRequests(new Response(null, { status: 204 }));
    await owner.runCron("*/2 * * * *");
    expect(asked).toEqual([]);
    expect(await rows("jobs")).toMatchObject([{ attempts: 0, done_at: null }]);
  });
});

without("embed", () => {
  test("the API has no such path, also for a site that was listed", async () => {
    await env.DB.exec("INSERT INTO embed_origins VALUES ('https://shop.example', 0)");
    const headers = { Origin: "https://shop.example" };
    const { status, body } = await owner.post("/api/embed", { email: "ada@example.com" }, headers);
    expect([status, JSON.parse(body).error.code]).toEqual([404, "not-found"]);
    expect(await rows("waitlist_emails")).toEqual([]);
  });
});

without("fair", () => {
  test("there is no form for tablets, and what they sent stays where it is", async () => {
    await fairDevice("'due', NULL");
    await owner.runCron();
    expect((await env.DB.prepare("SELECT state FROM fair_inbox").all()).results).toEqual([{ state: "due" }]);
    for (const path of ["/fair/arm", "/fair/sign-ups"]) {
      const headers = { Origin: env.SITE_URL, "Content-Type": "application/json" };
      const { status } = await owner.request(path, { method: "POST", headers, body: "{}" });
      expect(status, path).toBeGreaterThanOrEqual(404);
    }
  });
});

test.skipIf(launchSentence !== null)(
  "without a launch date, no page, summary or owner's page speaks of one",
  async () => {
    expect(await placesOf(/aiming to launch|end of 2025/)).toEqual([]);
    expect((await owner.request("/owner")).body).not.toContain("launch date");
  },
);

test("every part that a picture on the landing page uses is on the page", async () => {
  const { body } = await read("/");
  const used = Array.from(body.matchAll(/<use href="#(\w+)"|url\(#(\w+)\)/g), ([, part, fill]) => part ?? fill);
  const drawn = Array.from(body.matchAll(/<(?:g|radialGradient) id="(\w+)"/g), ([, id]) => id);
  expect(drawn).toEqual(expect.arrayContaining(used));
  expect(used.includes("body")).toBe(switches.drawing || switches.product);
});
