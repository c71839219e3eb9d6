import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { ownerIntents } from "#app/features/entries/entry-page.server.tsx";
import { actionWords } from "#app/features/log/log-page.server.tsx";
import { createOwnerPages } from "#app/owner/routes.server.ts";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { pages } from "#app/pages.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { addPausedStep } from "#tests/features/log/pool/paused-step.ts";
import { OWNER, scheduledApp } from "#tests/support/pool/emails.ts";
import { mockFetch } from "#tests/support/pool/failures.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { parts } from "#worker/features.ts";

freshDatabaseForEachTest();

/** 21 November 2026, noon. */
const NOW = Date.UTC(2026, 10, 21, 12);

const words = { intent: "save", subject: "Hello", heading: "Hello", body: "Good to see you." };

const save = { intent: "save" };

/** A form for each change that a route can make. A new route or intent belongs here. */
const changes: Record<string, Record<string, string>[]> = {
  "/owner/sign-in/:token": [{}],
  "/owner/sign-out": [{}],
  "/owner/sign-out-everywhere": [{}],
  "/owner/outbox/retry": [{}, { emails: "outcome-unknown" }],
  "/owner/outbox/release": [{}],
  "/owner/outbox/try": [{}],
  "/owner/steps": [{ intent: "dismiss", step: "founder" }],
  "/owner/api-keys": [{ name: "Shop", scopes: "stats:read" }],
  "/owner/api-keys/:id{[0-9]{1,15}}": [{ intent: "revoke" }],
  "/owner/emails/welcome": [words],
  "/owner/emails/confirm": [words],
  "/owner/emails/confirm-reminder": [words],
  "/owner/entries/new": [{ email: "dan@example.com", "consent-date": "2026-10-05", note: "At the stall", send: "yes" }],
  "/owner/entries/:id{[0-9]{1,15}}": [
    ...Object.keys(ownerIntents).map((intent) => ({ intent })),
    { intent: "save", note: "x" },
  ],
  "/owner/entries/:id{[0-9]{1,15}}/edit": [{ email: "ada@example.org" }],
  "/owner/entries/erase": [{ count: "2" }],
  "/owner/entries/unsubscribe": [{ count: "2" }],
  "/owner/import/:id{[0-9]{1,15}}": [{ intent: "confirm", checked: String(NOW) }, { intent: "discard" }],
  "/owner/import/:id{[0-9]{1,15}}/problems.csv": [{}],
  "/owner/letters": [{ subject: "News", body: "Hello" }],
  "/owner/letters/for": [{ utm_campaign: "fair" }],
  "/owner/letters/invite": [{ newest: "2" }],
  "/owner/letters/again": [{ entry: "1", letter: "1" }],
  "/owner/letters/:id{[0-9]{1,15}}": [
    { intent: "save", subject: "News", body: "Hello" },
    { intent: "delete" },
    { intent: "duplicate" },
    { intent: "publish", back: "send" },
  ],
  "/owner/letters/:id{[0-9]{1,15}}/audience": [{ source: "landing_page" }],
  "/owner/letters/:id{[0-9]{1,15}}/send": [{ intent: "test" }, { intent: "start", when: "now", count: "2" }],
  "/owner/letters/:id{[0-9]{1,15}}/recipients.csv": [{}],
  "/owner/series": [{ days: "9", subject: "Pitches", body: "Hello" }],
  "/owner/series/hour": [{ hour: "18:00" }],
  "/owner/series/:id{[0-9]{1,15}}": [
    { intent: "save", days: "4", subject: "Pitches", body: "Hello" },
    { intent: "extend", "days-back": "2" },
    ...["switch-off", "resume", "delete"].map((intent) => ({ intent })),
  ],
  "/owner/series/:id{[0-9]{1,15}}/preview": [{ intent: "test" }],
  "/owner/links": [{ page: "/", utm_source: "poster", utm_medium: "print", utm_campaign: "fair" }],
  "/owner/links/:id{[0-9]{1,15}}": [{ intent: "remove" }],
  "/owner/referrals/:id{[0-9]{1,15}}": [{ intent: "accept" }, { intent: "refuse", note: "One person" }],
  "/owner/referrals": ["accept", "refuse"].map((intent) => ({ intent, seen: String(NOW) })),
  "/owner/referrals/rewards": [
    { reward: "1.3", intent: "give-ticked" },
    { shown: "1.3", intent: "give-shown" },
    { reward: "1.10", intent: "take-back" },
  ],
  "/owner/referrals/referrers.csv": [{}],
  "/owner/referrals/milestones.csv": [{}],
  "/owner/settings/launch": [{ ...save, "launch-sentence": "We open in May.", "launch-date": "2027-05-31" }],
  "/owner/settings/founder": [{ ...save, "founder-name": "Ada", "founder-note": "Hello" }],
  "/owner/settings/sign-ups": [{ ...save, "confirm-addresses": "on", disposable: "refuse" }],
  "/owner/settings/contact": [
    { ...save, "contact-email": "hi@example.com", "controller-name": "Ada", "controller-address": "1 Lane" },
  ],
  "/owner/settings/emails-and-time": [{ ...save, "mail-per-hour": "40", "owner-time-zone": "Europe/Paris" }],
  "/owner/settings/links": [{ ...save, "survey-url": "https://forms.example" }],
  "/owner/settings/owners": [
    { intent: "add", email: "ada@market.example" },
    { intent: "sign-out", email: OWNER },
  ],
  "/owner/settings/notifications": [save],
  "/owner/settings/questions": [{ intent: "first-name" }],
  "/owner/settings/rewards": [{ ...save, friends: "5", reward: "A banner" }],
  "/owner/webhooks": [{ url: "https://hooks.example/", events: "entry.joined" }],
  "/owner/webhooks/:id{[0-9]{1,15}}": [
    { intent: "save", url: "https://hooks.example/2", events: "entry.joined" },
    { intent: "replace-secret", number: "1" },
    ...["turn-off", "delete"].map((intent) => ({ intent })),
    { intent: "test", event: "entry.joined" },
    { intent: "again", delivery: "1" },
    { intent: "again-since", since: "2026-01-01T00:00" },
  ],
  "/owner/embed": [{ site: "https://shop.example" }],
  "/owner/embed/remove": [{ origin: "https://blog.example" }],
  "/owner/fair": [{ event: "Spring Fair", days: "2" }],
  "/owner/fair/:id{[0-9]{1,15}}": [
    { intent: "revoke" },
    ...["accept", "discard"].map((intent) => ({ intent, seen: String(NOW) })),
    { intent: "close" },
  ],
  "/owner/export.csv": [{ format: "csv" }, { format: "ghost" }],
};

/** Routes that change neither the waitlist nor anyone's access. */
const unlogged: Record<string, string> = {
  "/owner/sign-in": "anyone can ask for a link; using it is logged",
  "/owner/stats": "computes the numbers again",
  "/owner/entries/views": "stores a filter of the list",
  "/owner/entries/views/:id{[0-9]{1,15}}": "renames or deletes a stored filter",
  "/owner/entries": "stores the search in the browser's cookie",
  "/owner/session": "renews the session's cookie",
  "/owner/letters/email": "shows what is typed and stores nothing",
};

/**
 * Uploads take a file, which is no such form: see also `owner-pictures.test.ts`. A bulk action is stopped or undone: see
 * `tests/features/import/built/import.test.ts` and `owner-bulk.slow.test.ts`.
 */
const elsewhere = ["/owner/import", "/owner/pictures", "/owner/bulk/:id{[0-9]{1,15}}"];

/** A form that every route understands which is not in the log. */
const renaming = { intent: "rename", name: "Some" };

const ownerPages = createOwnerPages(
  async (c, next) => {
    const app = { ...scheduledApp(0), now: Date.now };
    c.set("app", { ...app, emailContext: { ...app.emailContext, ownerEmails: [OWNER] } });
    return next();
  },
  pages,
  parts.flatMap(({ sections = [] }) => sections),
);
// Hono lists a route once for each of its handlers.
const routes = new Set(
  ownerPages.routes
    .filter(({ method }) => !["GET", "ALL"].includes(method))
    .map(({ path }) => path)
    .filter((path) => !elsewhere.includes(path)),
);
const cases = [...routes].flatMap((path) =>
  (changes[path] ?? [path in unlogged ? renaming : {}]).map((form) => ({ path, form })),
);

let cookie: string;

/** An entry with a dead email of each kind that can be tried again, and a session. */
beforeEach(async () => {
  for (const email of ["ada@example.com", "bob@example.com"]) {
    await addEntry(db, { email, source: "landing_page", columns: {}, now: Date.now() - 60_000 });
  }
  await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'rejected' WHERE entry_id = 1");
  await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'outcome-unknown' WHERE entry_id = 2");
  await env.DB.exec(
    "INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('unverified', 'sign-up-bounces', NULL, 0)",
  );
  await env.DB.exec(
    `INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('all', 'daily-quota', ${Number.MAX_SAFE_INTEGER}, 0)`,
  );
  const { headers } = await post(await newSignInPath(), {});
  cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const settings = { mapping: ["email"], consentDate: "2026-10-05", note: "", timeZone: "UTC", monthFirst: false };
  const report = { rows: 1, people: 1, active: 1, unchanged: 0, leftOut: 0, problems: {}, first: [] };
  const anImport = { columns: ["email"], settings: { ...settings, welcome: false }, report };
  const [columns, ...checked] = Object.values(anImport).map((value) => JSON.stringify(value));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO imports (state, file_name, columns, rows, chunks, settings, report, created_at, checked_at)
      VALUES ('checked', 'list.csv', ?, 1, 1, ?, ?, ${NOW}, ${NOW})`,
    ).bind(columns, ...checked),
    env.DB.prepare("INSERT INTO import_chunks VALUES (1, 0, ?)").bind(JSON.stringify([[2, ["carol@example.com"]]])),
    env.DB.prepare(
      `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at)
      VALUES ('k', 'News', '', 'Hello', '{"filter":{}}', ${NOW}, ${NOW})`,
    ),
  ]);
  await env.DB.exec("INSERT INTO letter_recipients (letter_id, position, entry_id, state) VALUES (1, 0, 1, 'sent')");
  await addPausedStep();
  await env.DB.exec(
    "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) VALUES (1, 2, 'one-domain', 1, NULL)",
  );
  await env.DB.exec("INSERT INTO reached_milestones VALUES (1, 3, 1, NULL), (1, 10, 1, 2)");
  await env.DB.exec("INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('CRM', 'h', '[]', 1)");
  await env.DB.exec(
    `INSERT INTO webhook_endpoints (url, events, created_at) VALUES ('https://hooks.example/', '["entry.joined"]', 1)`,
  );
  await env.DB.exec(
    `INSERT INTO jobs (kind, subject, data, created_at, next_attempt_at, dead_at) VALUES ('webhook', 1, '{"event":"entry.joined"}', ${NOW}, 0, ${NOW})`,
  );
  mockFetch(async () => new Response(null, { status: 204 }));
  await env.DB.exec("INSERT INTO links VALUES (1, '/', 'fair', '', '', 'owner@example.com', 1)");
  await env.DB.exec("INSERT INTO embed_origins VALUES ('https://blog.example', 1)");
  await env.DB.exec(
    `INSERT INTO fair_devices (event, source, code_hash, created_at, expires_at, public_key, private_key)
    VALUES ('Spring Fair', 'spring_fair', 'h', ${NOW}, ${Number.MAX_SAFE_INTEGER}, 'p', 'k')`.replaceAll("\n", " "),
  );
  await env.DB.exec(`INSERT INTO fair_inbox VALUES ('a', 1, 'held', 'limit', ${NOW}, ${NOW}, '2026-11', 'x')`);
  await env.DB.exec("DELETE FROM owner_log");
});

test.each(cases)("POST $path $form is in the log, or is known to change nothing", async ({ path, form }) => {
  expect(path in changes || path in unlogged, `${path} is missing in this test`).toBe(true);
  const isFiltered = /\/entries\/(erase|unsubscribe|views)/.test(path);
  const filter = isFiltered ? "?source=landing_page" : "";
  const url = path.includes(":token") ? await newSignInPath() : path.replace(/:id[^/]*/, "1") + filter;
  expect((await post(url, form)).status).toBeLessThan(400);
  const logged = await rows<{ actor: string; action: string; details: string }>("owner_log");
  for (const { action } of logged) expect(Object.keys(actionWords)).toContain(action);
  // A form of settings has a line for each that it changes.
  const actors = path.startsWith("/owner/settings/")
    ? new Set(logged.map(({ actor }) => actor))
    : logged.map(({ actor }) => actor);
  expect([...actors]).toEqual(path in unlogged ? [] : [OWNER]);
  if (path.includes(":id") && !(path in unlogged))
    expect(logged[0]?.details).toMatch(/"(entryId|importId|letterId|stepId|key|endpointId|deviceId|linkId)":"?1/);
});

test("stopping an import is in the log", async ({ skip }) => {
  skip(!routes.has("/owner/import/:id{[0-9]{1,15}}"), "The site has no imports.");
  await env.DB.exec("UPDATE imports SET state = 'running', confirmed_at = 1");
  await post("/owner/import/1", { intent: "stop" });
  await post("/owner/import/1", { intent: "stop" });
  expect(await rows("owner_log")).toMatchObject([
    { actor: OWNER, action: "stop-import", details: JSON.stringify({ importId: 1 }) },
  ]);
});

test("asking a person again to confirm is in the log", async () => {
  for (const set of ["confirm_by = NULL", "confirm_by = 1"]) {
    await env.DB.exec(`UPDATE waitlist_emails SET ${set}`);
    await post("/owner/entries/1", { intent: "resend-confirmation" });
  }
  expect(await rows("owner_log")).toMatchObject([{ action: "resend-confirmation", details: '{"entryId":1}' }]);
});

test("undoing an unsubscription is in the log", async () => {
  for (const intent of ["unsubscribe", "undo", "undo"]) await post("/owner/entries/1", { intent });
  expect(await rows("owner_log")).toMatchObject([
    { action: "unsubscribe" },
    { action: "undo-unsubscribe", details: '{"entryId":1}' },
  ]);
});

test("lifting a suppression is in the log, with why it is safe", async () => {
  const hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
  await suppress(db, { hashes: [hash], reason: "hard-bounce", until: null }, NOW).run();
  const form = { intent: "allow", suppression: "hard-bounce" };
  for (const why of ["", "repaired", "repaired"]) await post("/owner/entries/1", { ...form, why });
  const details = { entryId: 1, reason: "hard-bounce", why: "repaired" };
  expect(await rows("owner_log")).toMatchObject([{ action: "unsuppress", details: JSON.stringify(details) }]);
});

test("a change that was not possible is not in the log", async () => {
  for (const intent of ["stop", "confirm"]) await post("/owner/import/1", { intent });
  await env.DB.exec("DELETE FROM email_outbox");
  for (const intent of Object.keys(ownerIntents)) await post("/owner/entries/999", { intent });
  await post("/owner/outbox/retry", {});
  expect(await rows("owner_log")).toEqual([]);
});

test("looking at a page is not in the log, and an export is, without what was searched for", async () => {
  for (const path of ["/owner", "/owner/entries", "/owner/entries/1", "/owner/log"]) await get(path);
  await get("/owner/export.csv", "HEAD");
  expect(await rows("owner_log")).toEqual([]);
  const details = { format: "csv", people: "may get email", filter: "answer_role=host", search: "yes" };
  const { headers } = await post("/owner/entries?answer_role=host", { search: "ada@example.com" });
  cookie = `${cookie}; ${headers.get("Set-Cookie")?.split(";")[0]}`;
  const list = new URL(headers.get("Location") ?? "", env.SITE_URL);
  await post(`/owner/export.csv${list.search}`, { format: "csv" });
  const logged = await rows<{ details: string }>("owner_log");
  expect(logged).toMatchObject([{ actor: OWNER, action: "export" }]);
  expect(JSON.parse(logged[0]?.details ?? "")).toEqual(details);
});

async function newSignInPath(): Promise<string> {
  return (await createSignInLink(db, { siteUrl: env.SITE_URL, email: OWNER }, Date.now())).slice(env.SITE_URL.length);
}

function post(path: string, form: Record<string, string>) {
  return send(path, { method: "POST", body: new URLSearchParams(form), headers: { Cookie: cookie ?? "" } });
}

function get(path: string, method = "GET") {
  return send(path, { method, headers: { Cookie: cookie } });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await ownerPages.fetch(new Request(env.SITE_URL + path, init), { ...env, OWNER_EMAIL: OWNER });
  await response.clone().text();
  return response;
}
