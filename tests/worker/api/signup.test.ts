import { describe, expect, test } from "vitest";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { findWording, wordingTexts } from "#app/waitlist/consent-wording.ts";
import { attemptsInOneMinute } from "#tests/support/minute.ts";
import { anAnswerToken } from "#tests/support/pool/answer-token.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest, refuseInserts, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
const log = captureLog();
const site = apiSite();

const joined = {
  ok: true,
  message: "Thanks for joining! Please check your email.",
  answerToken: anAnswerToken,
  ...(switches.referrals ? { via: expect.stringMatching(/^\w{8}$/) } : {}),
  questions,
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
    { entry_id: entry?.id, kind: "welcome", attempts: 0, sent_at: null },
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

  expect(await rows("waitlist_emails")).toMatchObject([
    {
      source: "ways_to_help_section",
      utm_source: "fb_ads",
      utm_medium: "x".repeat(100),
      utm_campaign: null,
      utm_term: null,
      referrer_host: "news.example",
    },
  ]);
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
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, version, text: findWording(version) } });
    expect(text).toContain("welcome email");
    expect(await stated({ wording: version })).toMatchObject({ status: 201, versions: [version] });
    const posted = await site.post("/api/signup/wording", {});
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  test.each(Object.keys(wordingTexts))(
    "is on record as the version that was shown, also an earlier one: %s",
    async (wording) => {
      expect(await stated({ wording })).toMatchObject({ status: 201, versions: [wording] });
    },
  );

  test.each(["1999-01", "", "__proto__", 7, {}])(
    "that this site never had is refused, and nobody joins: %j",
    async (wording) => {
      const refusal = errorBody("unknown-wording", expect.stringContaining("reload the page"));
      expect(await stated({ wording })).toEqual({ status: 422, body: refusal, versions: [] });
    },
  );
});

test("a filled honeypot looks like a success and stores nothing", async () => {
  const response = await site.post("/api/signup", { email: "bot@example.com", pitch_remark: "https://spam.example" });

  expect(await statusAndBody(response)).toEqual({ status: 201, body: joined });
  expect(await rows("waitlist_emails")).toEqual([]);
});

describe("bad input is rejected with JSON and stores nothing", () => {
  const badAddress = errorBody("invalid-email", "Please enter a valid email address");
  const cases: [name: string, body: string, status: number, expected: unknown][] = [
    ["an empty body", "", 400, errorBody("malformed-json", expect.any(String))],
    ["text that is not JSON", "email=ada@example.com", 400, errorBody("malformed-json", expect.any(String))],
    ["an array", '["ada@example.com"]', 400, errorBody("malformed-json", expect.any(String))],
    ["null", "null", 400, errorBody("malformed-json", expect.any(String))],
    ["no email", "{}", 422, badAddress],
    ["an email that is a number", '{"email":42}', 422, badAddress],
    ["no dot after the at sign", '{"email":"ada@example"}', 422, badAddress],
    ["300 characters", JSON.stringify({ email: `${"a".repeat(288)}@example.com` }), 422, badAddress],
    ["two lines", JSON.stringify({ email: "ada@example.com\nbcc:eve@example.com" }), 422, badAddress],
    ["a null byte", JSON.stringify({ email: "ada@example.com\0" }), 422, badAddress],
    [
      "a source with markup",
      JSON.stringify({ email: "ada@example.com", source: "<script>alert(1)</script>" }),
      422,
      errorBody("invalid-source", expect.any(String)),
    ],
    [
      "5 KB",
      JSON.stringify({ email: "ada@example.com", pad: "x".repeat(5_000) }),
      413,
      errorBody("too-large", expect.any(String)),
    ],
  ];

  test.each(cases)("%s", async (_name, body, status, expected) => {
    const response = await site.post("/api/signup", body);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(await statusAndBody(response)).toEqual({ status, body: expected });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("invalid UTF-8", async () => {
    const body = new Uint8Array([...new TextEncoder().encode('{"email":"ada@example.com'), 0xff, 0x22, 0x7d]);
    const response = await site.request("/api/signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("5 KB without a Content-Length", async () => {
    const parts = [`{"email":"ada@example.com","pad":"`, "x".repeat(5_000), '"}'];
    const response = await site.request("/api/signup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: new Blob(parts).stream(),
    });
    expect(response.status).toBe(413);
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each(["application/x-www-form-urlencoded", "text/plain", "application/jsonp", ""])("type %j", async (type) => {
    const response = await site.post("/api/signup", '{"email":"ada@example.com"}', { "Content-Type": type });
    expect(await statusAndBody(response)).toEqual({ status: 415, body: errorBody("not-json", expect.any(String)) });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("method %s", async (method) => {
    const response = await site.request("/api/signup", { method });
    expect(response.headers.get("Allow")).toBe("POST");
    expect(await statusAndBody(response)).toEqual({
      status: 405,
      body: errorBody("method-not-allowed", expect.any(String)),
    });
  });

  test.each([
    ["Origin", "https://evil.example"],
    ["Origin", "null"],
    ["Origin", "http://localhost:8788"],
    ["Sec-Fetch-Site", "cross-site"],
    ["Sec-Fetch-Site", "Cross-Site"],
  ])("%s: %s", async (name, value) => {
    const body = JSON.stringify({ email: "ada@example.com" });
    const headers = { "Content-Type": "application/json", [name]: value };
    const response = await site.request("/api/signup", { method: "POST", headers, body });
    expect(await statusAndBody(response)).toEqual({
      status: 403,
      body: errorBody("forbidden-origin", expect.any(String)),
    });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each(["/api", "/api/", "/api/unknown", "/api/signup/more"])("path %s is a JSON 404", async (path) => {
    const response = await site.post(path, { email: "ada@example.com" });
    expect(await statusAndBody(response)).toEqual({ status: 404, body: errorBody("not-found", expect.any(String)) });
  });
});

test("a request without an Origin is accepted", async () => {
  const response = await site.request("/api/signup", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"email":"ada@example.com"}',
  });
  expect(response.status).toBe(201);
});

test("the 31st sign-up of one client in a minute: 429 with Retry-After, and no entry", async () => {
  let lastEmail = "";
  const responses = await attemptsInOneMinute(31, (n, run) => {
    lastEmail = `run${run}n${n}@example.com`;
    return site.post("/api/signup", { email: lastEmail }, { "CF-Connecting-IP": `203.0.113.${run}` });
  });
  expect(responses.map(({ status }) => status)).toEqual([...Array(30).fill(201), 429]);
  expect(responses[30]?.headers.get("Retry-After")).toBe("60");
  expect(await responses[30]?.json()).toEqual(errorBody("rate-limited", expect.stringContaining("wait a minute")));
  const listed = await rows<{ email: string }>("waitlist_emails");
  expect(listed.filter(({ email }) => email === lastEmail)).toEqual([]);
});

test("the 11th attempt for one address in a minute: 429, from any client", async () => {
  const responses = await attemptsInOneMinute(11, (n, run) => {
    const client = { "CF-Connecting-IP": `2001:db8:${run}:${n}::1` };
    return site.post("/api/signup", { email: `same${run}@example.com` }, client);
  });
  expect(responses.map(({ status }) => status)).toEqual([201, ...Array(9).fill(409), 429]);
});

test("spellings of one mailbox share its rate limit", async () => {
  const responses = await attemptsInOneMinute(11, (n, run) => {
    const email = `${"same".slice(0, n % 4)}.${"same".slice(n % 4)}${run}+${n}@${n % 2 ? "gmail" : "googlemail"}.com`;
    return site.post("/api/send-welcome", { email }, { "CF-Connecting-IP": `198.18.${run}.${n}` });
  });
  expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
});

test("the fourth spelling of one mailbox within a day: 429 with the time to wait, counted, and no entry", async () => {
  for (const email of ["ada+1@example.com", "ada+2@example.com", "ada@example.com"]) {
    await site.post("/api/signup", { email });
  }
  const response = await site.post("/api/signup", { email: "Ada+4@Example.com." });
  expect(response.headers.get("Retry-After")).toMatch(/^8[56]\d{3}$/);
  expect(await statusAndBody(response)).toEqual({
    status: 429,
    body: errorBody("rate-limited", expect.stringContaining("try again tomorrow")),
  });
  expect(await rows("waitlist_emails")).toHaveLength(3);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited", count: 1 }]);
});

test("failing rate limits do not block sign-ups", async () => {
  const failing = { limit: () => Promise.reject(new Error("rate limits unavailable")) };
  const response = await apiSite({ CLIENT_LIMIT: failing, ADDRESS_LIMIT: failing }).post("/api/signup", {
    email: "ada@example.com",
  });
  expect(response.status).toBe(201);
  expect(log.join("\n")).toContain("rate-limit-failed");
});

test("a failing database: 503 with a reference; the error itself is only logged", async () => {
  const response = await apiSite({ DB: brokenD1 }).post("/api/signup", { email: "ada@example.com" });

  expect(response.status).toBe(503);
  const { error } = await response.json<{ error: { code: string; message: string } }>();
  expect(error.code).toBe("unavailable");
  expect(error.message).not.toContain("D1_ERROR");
  const reference = /Reference (\w{4}-\w{4})/.exec(error.message)?.[1];
  const line = log.map((entry) => JSON.parse(entry)).find((entry) => entry.reference === reference);
  expect(line.error).toContain("D1_ERROR");
  expect(log.filter((entry) => /@|ada/.test(entry))).toEqual([]);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a statement that fails in the middle of the batch rolls it back", async () => {
  await refuseInserts("email_outbox");
  const response = await site.post("/api/signup", { email: "ada@example.com" });
  expect(response.status).toBe(503);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a missing required variable: 500 with its name", async () => {
  const response = await apiSite({ SITE_URL: "" } as Partial<Env>).post("/api/signup", { email: "ada@example.com" });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("SITE_URL: is not set");
});
