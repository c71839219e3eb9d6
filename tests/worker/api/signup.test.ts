import { describe, expect, test } from "vitest";
import { britishDate } from "#app/server/time/british-date.ts";
import * as switches from "#app/switches.ts";
import { consentText, wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";
import { anAnswerToken } from "#tests/support/pool/answer-token.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import { sampleQuestions } from "#tests/support/sample-questions.ts";

const log = freshStorageForEachTest();
const site = apiSite();

const joined = {
  ok: true,
  message: "Thanks for joining! Please check your email.",
  answerToken: anAnswerToken,
  joinedOn: britishDate(Date.now()).text,
  ...(switches.referrals ? { via: expect.stringMatching(/^\w{8}$/) } : {}),
  questions: sampleQuestions,
};

test("a new address: 201, the specified row, and a queued welcome email", async () => {
  const response = await site.post("/api/signup", { email: "Ada@Example.com" });

  expect(await statusAndBody(response)).toEqual({ status: 201, body: joined });
  const [entry, ...others] = await rows<{ id: number; metadata: string }>("waitlist_emails");
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ email: "ada@example.com", source: "landing_page", status: "active", early_adopter: 1 });
  const metadata = JSON.parse(entry?.metadata ?? "");
  expect(metadata).toEqual({ signup_platform: "web", signup_date: expect.any(String) });
  expect(new Date(metadata.signup_date).toISOString()).toBe(metadata.signup_date);
  expect(await rows("email_outbox")).toMatchObject([
    { entry_id: entry?.id, kind: "welcome", attempts: 0, done_at: null },
  ]);
});

test("a listed address, ignoring letter case: 409, still one entry and one email", async () => {
  await site.post("/api/signup", { email: "ada@example.com" });
  const again = await site.post("/api/signup", { email: "ADA@example.COM" });

  expect(await statusAndBody(again)).toEqual({
    status: 409,
    body: errorBody("already-joined", "This email is already on our waitlist!"),
  });
  expect(await rows("waitlist_emails")).toHaveLength(1);
  expect(await rows("email_outbox")).toHaveLength(1);
});

test("source and campaign are stored in separate columns", async () => {
  await site.post("/api/signup", {
    email: "ada@example.com",
    source: "ways_to_help_section",
    utm_source: "fb_ads",
    utm_medium: "x".repeat(500),
    utm_term: 7,
    referrer_host: "news.example",
  });

  const columns = { source: "ways_to_help_section", utm_source: "fb_ads", referrer_host: "news.example" };
  const cut = { utm_medium: "x".repeat(100), utm_campaign: null, utm_term: null };
  expect(await rows("waitlist_emails")).toMatchObject([{ ...columns, ...cut }]);
});

describe("the wording that people agree to", () => {
  const stated = async (fields: object) => {
    const response = await site.post("/api/signup", { email: "ada@example.com", ...fields });
    const stored = await rows<{ consent_version: string | null }>("waitlist_emails");
    return { ...(await statusAndBody(response)), versions: stored.map(({ consent_version }) => consent_version) };
  };

  test.each([{}, { wording: null }])("is not on record without a version: %j claims nothing", async (fields) => {
    expect(await stated(fields)).toMatchObject({ status: 201, versions: [null] });
  });

  test("is offered with its version, which a sign-up states and which is then on record", async () => {
    const response = await site.request("/api/signup/wording");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    const { status, body } = await statusAndBody(response);
    const { text, version } = body as { text: string; version: string };
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, version, text: consentText(version) } });
    expect(text).toContain("welcome email");
    expect(await stated({ wording: version })).toMatchObject({ status: 201, versions: [version] });
    const posted = await site.post("/api/signup/wording", {});
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  test.each(Object.keys(wordingTexts))("is on record as the version that was shown: %s", async (wording) => {
    expect(await stated({ wording })).toMatchObject({ status: 201, versions: [wording] });
  });

  test.each(["1999-01", "", "__proto__", 7, {}])("that this site never had is refused: %j", async (wording) => {
    const refusal = errorBody("unknown-wording", expect.stringContaining("reload the page"));
    expect(await stated({ wording })).toEqual({ status: 422, body: refusal, versions: [] });
  });
});

describe("bad input is rejected with JSON and stores nothing", () => {
  const withEmail = (email: unknown) => JSON.stringify({ email });

  test.each([
    ["an empty body", "", 400, "malformed-json"],
    ["text that is not JSON", "email=ada@example.com", 400, "malformed-json"],
    ["an array", '["ada@example.com"]', 400, "malformed-json"],
    ["null", "null", 400, "malformed-json"],
    ["no email", "{}", 422, "invalid-email"],
    ["an email that is a number", withEmail(42), 422, "invalid-email"],
    ["no dot after the at sign", withEmail("ada@example"), 422, "invalid-email"],
    ["300 characters", withEmail(`${"a".repeat(288)}@example.com`), 422, "invalid-email"],
    ["two lines", withEmail("ada@example.com\nbcc:eve@example.com"), 422, "invalid-email"],
    ["a null byte", withEmail("ada@example.com\0"), 422, "invalid-email"],
    ["a source with markup", '{"email":"ada@example.com","source":"<script>alert(1)</script>"}', 422, "invalid-source"],
    ["5 KB", JSON.stringify({ email: "ada@example.com", pad: "x".repeat(5_000) }), 413, "too-large"],
  ])("%s", async (_name, body, status, code) => {
    const response = await site.post("/api/signup", body);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(await statusAndBody(response)).toEqual({ status, body: errorBody(code, expect.any(String)) });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each<[string, number, RequestInit]>([
    [
      "invalid UTF-8",
      400,
      { body: new Uint8Array([...new TextEncoder().encode('{"email":"ada@b.de'), 0xff, 0x22, 0x7d]) },
    ],
    ["5 KB without a Content-Length", 413, { body: new Blob(['{"email":"ada@b.de"}', " ".repeat(5_000)]).stream() }],
  ])("%s", async (_, status, init) => {
    const headers = { "Content-Type": "application/json" };
    expect((await site.request("/api/signup", { method: "POST", headers, ...init })).status).toBe(status);
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each([
    ["Content-Type", "application/x-www-form-urlencoded", 415, "not-json"],
    ["Content-Type", "text/plain", 415, "not-json"],
    ["Content-Type", "application/jsonp", 415, "not-json"],
    ["Content-Type", "", 415, "not-json"],
    ["Origin", "https://evil.example", 403, "forbidden-origin"],
    ["Origin", "null", 403, "forbidden-origin"],
    ["Origin", "http://localhost:8788", 403, "forbidden-origin"],
    ["Origin", "capacitor://localhost", 403, "forbidden-origin"],
    ["Origin", "ionic://localhost", 403, "forbidden-origin"],
    ["Origin", "http://localhost", 403, "forbidden-origin"],
    ["Origin", "https://localhost", 403, "forbidden-origin"],
    ["Origin", "https://tauri.localhost", 403, "forbidden-origin"],
    ["Origin", "file://", 403, "forbidden-origin"],
    ["Sec-Fetch-Site", "cross-site", 403, "forbidden-origin"],
    ["Sec-Fetch-Site", "Cross-Site", 403, "forbidden-origin"],
  ])("%s: %s", async (name, value, status, code) => {
    const headers = { "Content-Type": "application/json", [name]: value };
    const init = { method: "POST", headers, body: '{"email":"ada@example.com"}' };
    const response = await site.request("/api/signup", init);
    expect(await statusAndBody(response)).toEqual({ status, body: errorBody(code, expect.any(String)) });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("method %s", async (method) => {
    const response = await site.request("/api/signup", { method });
    expect(response.headers.get("Allow")).toBe("POST");
    const body = errorBody("method-not-allowed", expect.any(String));
    expect(await statusAndBody(response)).toEqual({ status: 405, body });
  });

  test.each(["/api", "/api/", "/api/unknown", "/api/signup/more"])("path %s is a JSON 404", async (path) => {
    const response = await site.post(path, { email: "ada@example.com" });
    expect(await statusAndBody(response)).toEqual({ status: 404, body: errorBody("not-found", expect.any(String)) });
  });
});

test("a retry whose first response was lost: 409 without what the lost 201 had, and the welcome email stays queued", async () => {
  const body = { email: "ada@example.com", wording: Object.keys(wordingTexts)[0] };
  const lost = await site.post("/api/signup", body);
  expect(lost.status).toBe(201);
  const again = await statusAndBody(await site.post("/api/signup", body));
  expect(again).toEqual({ status: 409, body: errorBody("already-joined", expect.any(String)) });
  for (const name of Object.keys((await lost.json()) as object)) {
    if (name !== "ok") expect(again.body).not.toHaveProperty(name);
  }
  expect((await site.post("/api/send-welcome", { email: "ada@example.com" })).status).toBe(200);
  expect(await rows("waitlist_emails")).toMatchObject([{ consent_version: body.wording }]);
  expect(await rows("email_outbox")).toHaveLength(1);
});

test.each(["capacitor://localhost", "null", "https://shop.example"])(
  "a script of %s gets no permission in advance, so its browser sends nothing",
  async (origin) => {
    const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };
    const { status, headers } = await site.request("/api/signup", { method: "OPTIONS", headers: preflight });
    expect(status).toBe(405);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  },
);

test("a request without an Origin is accepted", async () => {
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"email":"ada@example.com"}' };
  expect((await site.request("/api/signup", init)).status).toBe(201);
});

test("the 31st sign-up of one client in a minute: 429 with Retry-After, and no entry", async () => {
  const client = { "CF-Connecting-IP": "203.0.113.7" };
  for (let n = 0; n < 30; n += 1)
    expect((await site.post("/api/signup", { email: `ada${n}@example.com` }, client)).status).toBe(201);
  const refused = await site.post("/api/signup", { email: "late@example.com" }, client);
  expect(refused.headers.get("Retry-After")).toBe("60");
  const body = errorBody("rate-limited", expect.stringContaining("wait a minute"));
  expect(await statusAndBody(refused)).toEqual({ status: 429, body });
  expect(await rows("waitlist_emails")).toHaveLength(30);
});

test.each([
  ["one address", "/api/signup", () => "same@example.com", [201, ...Array(9).fill(409), 429]],
  [
    "spellings of one mailbox",
    "/api/send-welcome",
    (n: number) => `${"same".slice(0, n % 4)}.${"same".slice(n % 4)}+${n}@${n % 2 ? "gmail" : "googlemail"}.com`,
    [...Array(10).fill(200), 429],
  ],
])("the 11th attempt for %s in a minute is refused from any client", async (_, path, emailOf, expected) => {
  const statuses = [];
  for (let n = 0; n < 11; n += 1) {
    const client = { "CF-Connecting-IP": `2001:db8:${n}::1` };
    statuses.push((await site.post(path, { email: emailOf(n) }, client)).status);
  }
  expect(statuses).toEqual(expected);
});

test("failing rate limits do not block sign-ups", async () => {
  const failing = { limit: () => Promise.reject(new Error("rate limits unavailable")) };
  const limited = apiSite({ CLIENT_LIMIT: failing, ADDRESS_LIMIT: failing });
  expect((await limited.post("/api/signup", { email: "ada@example.com" })).status).toBe(201);
  expect(log.join("\n")).toContain("rate-limit-failed");
});

test("a failing database: 503 with a reference; the error itself is only logged", async () => {
  const response = await apiSite({ DB: brokenD1 }).post("/api/signup", { email: "ada@example.com" });

  const { error } = await response.json<{ error: { code: string; message: string } }>();
  expect([response.status, error.code]).toEqual([503, "unavailable"]);
  expect(error.message).not.toContain("D1_ERROR");
  const reference = /Reference (\w{4}-\w{4})/.exec(error.message)?.[1];
  const line = log.map((entry) => JSON.parse(entry)).find((entry) => entry.reference === reference);
  expect(line.error).toContain("D1_ERROR");
  expect(log.filter((entry) => /@|ada/.test(entry))).toEqual([]);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a missing required variable: 500 with its name", async () => {
  const response = await apiSite({ SITE_URL: "" } as Partial<Env>).post("/api/signup", { email: "ada@example.com" });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("SITE_URL: is not set");
});

describe("after the launch", () => {
  const launchUrl = "https://app.market.example/welcome";
  const after = apiSite({ LAUNCH_URL: launchUrl } as Partial<Env>);

  const launched = {
    status: 410,
    body: { ok: false, error: { code: "launched", message: expect.stringContaining(launchUrl) }, launchUrl },
  };

  test.each([
    ["a new address", { email: "ada@example.com" }],
    ["a malformed address", { email: "ada" }],
    ["a filled honeypot", { email: "bot@example.com", pitch_remark: "https://spam.example" }],
  ])("%s gets 410 with the product's address, and nothing is stored", async (_, body) => {
    expect(await statusAndBody(await after.post("/api/signup", body))).toEqual(launched);
    for (const table of ["waitlist_emails", "email_outbox", "blocked_attempts"] as const) {
      expect(await rows(table)).toEqual([]);
    }
  });

  test("a request that is not a JSON object is still refused as such", async () => {
    expect((await after.post("/api/signup", "email=ada@example.com")).status).toBe(400);
    expect((await after.request("/api/signup")).status).toBe(405);
  });

  test("people who joined before are still sent the queued welcome email, and can still answer the question", async () => {
    const joined = await site.post("/api/signup", { email: "ada@example.com" });
    const { answerToken } = await joined.json<{ answerToken: string }>();
    expect((await after.post("/api/answers", { answerToken, answers: { role: "host" } })).status).toBe(200);
    expect((await after.post("/api/send-welcome", { email: "ada@example.com" })).status).toBe(200);

    expect(await rows("waitlist_emails")).toMatchObject([
      { email: "ada@example.com", status: "active", answers: '{"role":"host"}' },
    ]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", done_at: expect.any(Number) }]);
  });
});
