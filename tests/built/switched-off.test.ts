import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pages } from "#app/layout/pages.ts";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { wordingTexts } from "#app/waitlist/consent-wording.ts";
import { encodeCode } from "#app/waitlist/referrals/code.server.ts";
import { read } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { confirmToken, dataToken } from "#tests/support/pool/email-links.ts";
import { mockFetch } from "#tests/support/pool/failures.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { addEntries } from "#tests/support/pool/seed-entries.ts";
import { type Switch, switchedOff } from "#tests/support/switched-off.ts";

/* What app/switches.ts switches off is gone. `npm run test:slow` runs this in a copy of the site with all of it off. */

freshStorageForEachTest();
const log = captureLog();
beforeEach(() => void vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network")));
afterEach(() => vi.restoreAllMocks());

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

for (const [name, path, mention] of [
  ["survey", "/survey", /"[^"]*\/survey|\bsurveys?\b(?!Paper)/i],
  ["roadmap", "/roadmap", /"[^"]*\/roadmap|\broadmap\b/i],
  ["letters", "/letters", /"[^"]*\/letters|\bletters we/i],
] as const) {
  without(name, () => {
    test(`${path} does not exist, and no page, sitemap or summary mentions it`, async () => {
      for (const address of [path, `${path}.data`, `${path}/1`]) expect((await read(address, vars)).status).toBe(404);
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
  test("the owner has no pages to write them, and no link to any", async () => {
    for (const path of ["/owner/letters", "/owner/letters/new", "/owner/letters/1"]) {
      expect((await owner.request(path)).status, path).toBe(404);
    }
    const overview = await owner.request("/owner");
    const pages = Array.from(overview.body.matchAll(/href="(\/owner(?:\/[a-z]+)?)"/g), ([, path = ""]) => path);
    expect(pages).toEqual(expect.arrayContaining(["/owner/entries", "/owner/log"]));
    for (const path of new Set(pages)) {
      const { status, body } = await owner.request(path);
      expect(status, path).toBe(200);
      expect(body, path).not.toContain('"/owner/letters');
    }
  });

  test("pictures of letters are gone", async () => {
    expect((await read(`/letters/1/pictures/${"0".repeat(32)}`)).status).toBe(404);
  });

  test("a letter that was being sent stays where it was, and its recipients can unsubscribe", async () => {
    const id = await join("ada@example.com");
    await owner.runCron();
    owner.emails.length = 0;
    await env.DB.exec(
      "INSERT INTO letters (id, key, state, subject, preview_line, body, audience, created_at, updated_at, started_at, expected, newest_entry_id) VALUES (1, 'k', 'sending', 'News', '', 'Hello', '{\"filter\":{}}', 0, 0, 1, 1, 9)",
    );
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
  const mention = /\bfollow-?ups?\b|up to five/i;

  test("no page, summary or email mentions follow-ups, nor does the form that is put on other sites", async () => {
    expect(await placesOf(mention)).toEqual([]);
    await join("ada@example.com");
    await owner.runCron();
    for (const { text, html } of owner.emails) expect(`${text}${html}`).not.toMatch(mention);
    if (switches.embed) expect((await owner.request("/owner/embed")).body).not.toMatch(mention);
  });

  test("the owner has no page to write them, and no other page mentions them", async () => {
    const id = await join("ada@example.com");
    for (const path of ["/owner/series", "/owner/series/new", "/owner/series/1"]) {
      expect((await owner.request(path)).status, path).toBe(404);
    }
    const paths = ["/owner", "/owner/entries", `/owner/entries/${id}`, "/owner/export", "/owner/log"];
    for (const path of switches.letters ? [...paths, "/owner/letters"] : paths) {
      const { status, body } = await owner.request(path);
      expect(status, path).toBe(200);
      expect(body, path).not.toMatch(mention);
    }
  });

  test("a step that was on stays where it was", async () => {
    const id = await join("ada@example.com");
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO letters (id, key, state, subject, preview_line, body, audience, step_id, created_at,
        updated_at, started_at) VALUES (1, 'k', 'sending', 'Hello', '', 'Hello', '{"filter":{}}', 1, 0, 0, 1)`),
      env.DB.prepare(`INSERT INTO series_steps (id, days, hour, subject, preview_line, body, letter_id, since, created_at,
        updated_at) VALUES (1, 1, 0, 'Hello', '', 'Hello', 1, 1, 0, 0)`),
      env.DB.prepare("UPDATE waitlist_emails SET created_at = ?, consent_version = ? WHERE id = ?").bind(
        Date.now() - 2 * 24 * 3_600_000,
        Object.keys(wordingTexts).at(-1),
        id,
      ),
    ]);
    await owner.runCron();
    expect(owner.emails.map(({ subject }) => subject)).not.toContain("Hello");
    expect(await rows("letters")).toMatchObject([{ state: "sending" }]);
    expect(await rows("series_steps")).toMatchObject([{ planned_day: null }]);
  });
});

without("blog", () => {
  test("a configured Ghost is not asked, and no page mentions it", async () => {
    const asked: string[] = [];
    mockFetch(async ({ url }) => {
      asked.push(url);
      return Response.json({ posts: [] });
    });
    expect(await placesOf(/\bblog\b|\/posts\//i)).toEqual([]);
    expect(JSON.parse((await read("/healthcheck", vars)).body)).not.toHaveProperty("blog");
    await owner.runCron();
    expect(asked).toEqual([]);
  });

  test("pictures of posts are gone", async () => {
    expect((await read(`/blog/pictures/${"0".repeat(32)}`, vars)).status).toBe(404);
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

  test("the privacy page does not say that we count them", async () => {
    expect((await read("/privacy")).text).not.toMatch(/count visits|totals of visits/i);
  });
});

without("share", () => {
  test("there is no button, and no text about sharing the site", async () => {
    expect(await placesOf(/class="share"|Share \w+<|shared the site/)).toEqual([]);
  });
});

without("referrals", () => {
  const mention = /personal link|your link|friend|\/qr\/|[?&"]via\b/i;
  /** The code of an entry's link, from when there were links. */
  const code = (id: number) => encodeCode(id, env.HASH_KEY);

  test("for visitors, no page, sitemap or summary mentions personal links, and there are no QR codes", async () => {
    expect(await placesOf(/personal link|who invite friends|no one counts twice|\/qr\/|\?via=/i)).toEqual([]);
    expect((await read(`/qr/${await code(1)}.svg`)).status).toBe(404);
  });

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

  test("for the owner, there is no page about them, and no other page mentions them", async () => {
    const id = await join("ada@example.com");
    await env.DB.exec(`INSERT INTO referrers (entry_id, counted) VALUES (${id}, 3)`);
    await env.DB.exec(`INSERT INTO reached_milestones VALUES (${id}, 3, ${Date.now() - 120_000}, NULL)`);
    for (const path of ["/owner/referrals", "/owner/referrals/1", "/owner/referrals/referrers.csv"]) {
      expect((await owner.request(path)).status, path).toBe(404);
    }
    const mention = /referral|friend|milestone|personal link/i;
    for (const path of [
      "/owner",
      "/owner/entries",
      `/owner/entries/${id}`,
      "/owner/export",
      "/owner/links",
      "/owner/log",
    ]) {
      const { status, body } = await owner.request(path);
      expect(status, path).toBe(200);
      expect(body, path).not.toMatch(mention);
    }
    expect((await owner.post("/owner/export.csv", { format: "csv" })).body).not.toMatch(mention);
    await owner.runCron();
    for (const { subject, text } of owner.emails) expect(`${subject}${text}`).not.toMatch(mention);
  });
});

without("api", () => {
  test("there is no page for keys and no API, and no owner's page mentions them", async () => {
    expect((await owner.request("/owner/api-keys")).status).toBe(404);
    for (const path of ["/api/v1", "/api/v1/entries", "/api/v1/openapi.json"]) {
      const { status, body } = await owner.request(path);
      expect([status, JSON.parse(body).error.code], path).toEqual([404, "not-found"]);
    }
    for (const path of ["/owner", "/owner/log"]) expect((await owner.request(path)).body).not.toContain("api-keys");
  });
});

without("webhooks", () => {
  test("the owner has no page for endpoints, and events that wait are not sent", async () => {
    await env.DB.exec(
      `INSERT INTO webhook_endpoints (url, events, created_at) VALUES ('https://hooks.example/', '["entry.joined"]', 0)`,
    );
    await join("ada@example.com");
    const asked: string[] = [];
    mockFetch(async ({ url }) => {
      asked.push(url);
      return new Response(null, { status: 204 });
    });
    await owner.runCron("*/2 * * * *");
    expect(asked).toEqual([]);
    expect(await rows("webhook_deliveries")).toMatchObject([{ attempts: 0, delivered_at: null }]);
    for (const path of ["/owner/webhooks", "/owner/webhooks/1"]) {
      expect((await owner.request(path)).status, path).toBe(404);
    }
    for (const path of ["/owner", "/owner/log"]) expect((await owner.request(path)).body, path).not.toMatch(/webhook/i);
  });
});

without("embed", () => {
  test("the API has no such path, also for a site that was listed, and owners have no page about it", async () => {
    await env.DB.exec("INSERT INTO embed_origins VALUES ('https://shop.example', 0)");
    const { status, body } = await owner.post(
      "/api/embed",
      { email: "ada@example.com" },
      { Origin: "https://shop.example" },
    );
    expect([status, JSON.parse(body).error.code]).toEqual([404, "not-found"]);
    expect((await read("/api/embed")).status).toBe(404);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect((await owner.request("/owner/embed")).status).toBe(404);
    expect((await owner.request("/owner")).body).not.toMatch(/Forms on other sites|"\/owner\/embed/);
  });
});

without("fair", () => {
  test("there is no form for tablets, and what they sent stays where it is", async () => {
    await env.DB.exec(
      "INSERT INTO fair_devices (event, source, code_hash, created_at, expires_at, public_key) VALUES ('Fair', 'fair', 'h', 0, 9e15, 'p')",
    );
    await env.DB.exec("INSERT INTO fair_inbox VALUES ('a', 1, 'due', NULL, 0, 0, '2026-11', 'x')");
    await owner.runCron();
    expect((await env.DB.prepare("SELECT state FROM fair_inbox").all()).results).toEqual([{ state: "due" }]);
    for (const path of ["/fair", "/fair/manifest.webmanifest", "/fair/service-worker.js", "/fair/arm"])
      expect((await read(path)).status, path).toBe(404);
    for (const path of ["/fair/arm", "/fair/sign-ups"]) {
      const headers = { Origin: env.SITE_URL, "Content-Type": "application/json" };
      const { status } = await owner.request(path, { method: "POST", headers, body: "{}" });
      expect(status, path).toBeGreaterThanOrEqual(404);
    }
    expect((await read("/privacy")).text).not.toMatch(/\btablet/i);
  });

  test("owners have no page about tablets, and no other page mentions them", async () => {
    await env.DB.exec(
      "INSERT INTO fair_devices (event, source, code_hash, created_at, expires_at, public_key) VALUES ('Fair', 'fair', 'h', 0, 1, 'p')",
    );
    await env.DB.exec("INSERT INTO fair_inbox VALUES ('a', 1, 'held', 'expired', 0, 0, '2026-11', 'x')");
    for (const path of ["/owner/fair", "/owner/fair/1"]) expect((await owner.request(path)).status, path).toBe(404);
    for (const path of ["/owner", "/owner/log"])
      expect((await owner.request(path)).body, path).not.toMatch(/At the fair|\btablet|"\/owner\/fair/i);
  });
});

without("drawing", () => {
  test("the landing page has no drawing of the market", async () => {
    expect((await read("/")).body).not.toContain('class="market"');
  });
});

test.skipIf(site.launch !== null)("without a launch date, no page, summary or owner's page speaks of one", async () => {
  expect(await placesOf(/aiming to launch|end of 2025/)).toEqual([]);
  expect((await owner.request("/owner")).body).not.toContain("launch date");
});

test("every part that a picture on the landing page uses is on the page", async () => {
  const { body } = await read("/");
  const used = Array.from(body.matchAll(/<use href="#(\w+)"|url\(#(\w+)\)/g), ([, part, fill]) => part ?? fill);
  const drawn = Array.from(body.matchAll(/<(?:g|radialGradient) id="(\w+)"/g), ([, id]) => id);
  expect(drawn).toEqual(expect.arrayContaining(used));
  expect(used.includes("body")).toBe(switches.drawing || switches.product);
});
