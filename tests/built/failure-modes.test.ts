import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import * as switches from "#app/switches.ts";
import {
  bindingsWith,
  confirmToken,
  createEntry,
  dataToken,
  messageOf,
  post,
  read,
  runCron,
  typedEmail,
  unsubscribeToken,
} from "#tests/support/pool/built.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import {
  failingD1,
  failingEmail,
  failingKv,
  failingRateLimit,
  failingService,
  failures,
  fakeTimeoutsForEachTest,
  mockFetch,
  resendKeys,
  turnstileKeys,
} from "#tests/support/pool/failures.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Follows docs/failure-modes.md line by line. */

const log = freshStorageForEachTest();
fakeTimeoutsForEachTest();

const joined = { status: "success", text: "Thanks for joining! Please check your email." };
const events = () => log.map((line) => JSON.parse(line).event);
const token = "a-token-of-the-widget";

/** Posts the landing page's form as a browser without JavaScript does. */
async function submit(replaced: object, fields: Record<string, string> = {}) {
  const headers = { Origin: env.SITE_URL };
  const { status, body } = await post("/", { email: "ada@example.com", ...fields }, { headers, replaced });
  return { status, html: body };
}

const sweep = (replaced: object) => runCron(bindingsWith(replaced));

/** After every failure, the entry exists and its email is sent or queued. */
async function expectNothingLost(email: object) {
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
  expect(await rows("email_outbox")).toMatchObject([email]);
  expect(log.join("\n")).not.toContain("ada@example.com");
}

const sent = { done_at: expect.any(Number), attempts: 1 };
const reason = expect.stringMatching(/^(timed-out|unreachable|provider-fault)$/);
const queued = { done_at: null, dead_at: null, attempts: 1, reason };

describe.each([
  ...failures.map((fault) => [fault, failingD1(fault)]),
  ["wrong but well-formed", failingD1("wrong", Array(4).fill({ success: true, meta: {}, results: [] }))],
] as [string, D1Database][])("D1 %s", (_, DB) => {
  test("a sign-up: 503, a message with a reference to the log line, the typed value preserved", async () => {
    const { status, html } = await submit({ DB });
    expect(status).toBe(503);
    const { text } = messageOf(html);
    expect(text).toContain("you’re not on the waitlist yet");
    expect(typedEmail(html)).toBe("ada@example.com");
    const reference = /Reference (\w{4}-\w{4})/.exec(text)?.[1] ?? "none";
    expect(log.filter((line) => line.includes(reference))).toHaveLength(1);
    expect(html + log.join()).not.toContain("says ada");
    // No entry was added, and the next attempt adds it.
    expect(await rows("waitlist_emails")).toEqual([]);
    expect((await submit({})).status).toBe(201);
  });

  test("the landing page: unaffected", async () => {
    const { status, body } = await read("/", { DB });
    expect(status).toBe(200);
    expect(body).toContain('id="join"');
  });
});

test.each(failures)("D1 %s: a link from an email shows the error page with its reference", async (fault) => {
  const paths = {
    "/your-data": await dataToken(1),
    "/unsubscribe": await unsubscribeToken(1),
    "/confirm": await confirmToken(1),
  };
  for (const [folder, token] of Object.entries(paths)) {
    const { status, text } = await read(`${folder}/${token}`, { DB: failingD1(fault) });
    expect(status, folder).toBe(500);
    const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? "none";
    expect(log.some((line) => line.includes(reference))).toBe(true);
    expect(log.join()).not.toContain(token);
  }
});

test.each(failures)("D1 %s in the cron trigger: a failed run in the log, and the email stays queued", async (fault) => {
  await createEntry("active", "ada@example.com");
  await expect(sweep({ DB: failingD1(fault) })).rejects.toThrow();
  expect(events()).toContain("scheduled-failed");
  await expectNothingLost({ done_at: null, attempts: 0 });
});

test.each(failures)(
  "KV %s: pages without cached data, unaffected sign-ups, and a failing healthcheck",
  async (fault) => {
    const CACHE = failingKv(fault);
    mockFetch(() => Promise.reject(new Error("no network")));
    const { status, body } = await read("/", { CACHE, GHOST_URL: "https://ghost.example", GHOST_CONTENT_KEY: "a1" });
    expect(status).toBe(200);
    expect(body).toContain('id="join"');
    expect(body).not.toContain("From the blog");
    expect(events().includes("blog-cache-failed")).toBe(switches.blog);
    expect((await submit({ CACHE })).status).toBe(201);
    await expectNothingLost(sent);
    if (fault !== "wrong") expect((await read("/healthcheck", { CACHE })).status).toBe(503);
  },
);

describe.each([
  ...failures.map((fault) => [`the email binding ${fault}`, () => ({ EMAIL: failingEmail(fault) })] as const),
  ...failures.map((fault) => {
    const unreliable = () => {
      mockFetch(failingService(fault));
      return resendKeys;
    };
    return [`Resend ${fault}`, unreliable] as const;
  }),
])("%s", (_, unreliable) => {
  test("the visitor has joined; the email is queued with the reason, and sent once later", async () => {
    const { status, html } = await submit(unreliable());
    expect(status).toBe(201);
    expect(messageOf(html)).toEqual(joined);
    expect(events()).toContain("email-failed");
    await expectNothingLost(queued);

    await env.DB.exec("UPDATE email_outbox SET next_attempt_at = 0");
    const { binding, accepted } = emailBinding();
    for (let run = 0; run < 2; run += 1) await sweep({ EMAIL: binding });
    expect(accepted).toEqual(["ada@example.com"]);
  });
});

test.each(failures)("the rate limiter %s: the sign-up passes, and the failure is logged", async (fault) => {
  const limits = { CLIENT_LIMIT: failingRateLimit(fault), ADDRESS_LIMIT: failingRateLimit(fault) };
  const { status, html } = await submit(limits);
  expect(status).toBe(201);
  expect(messageOf(html)).toEqual(joined);
  expect(events()).toContain("rate-limit-failed");
  await expectNothingLost(sent);
});

describe.each(failures)("Turnstile %s", (fault) => {
  test("the sign-up passes under a stricter limit, and the failure is logged", async () => {
    mockFetch(failingService(fault));
    const { status, html } = await submit(turnstileKeys, { "cf-turnstile-response": token });
    expect(status).toBe(201);
    expect(messageOf(html)).toEqual(joined);
    expect(events()).toContain("turnstile-failed");
    expect(log.join()).not.toContain(token);
    await expectNothingLost(sent);

    const STRICT_LIMIT = { limit: async () => ({ success: false }) };
    const again = await submit({ ...turnstileKeys, STRICT_LIMIT }, { "cf-turnstile-response": token });
    expect(again.status).toBe(429);
    expect(messageOf(again.html).text).toContain("wait a minute");
  });
});
