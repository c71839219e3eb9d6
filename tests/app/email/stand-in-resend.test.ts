import { expect, test } from "vitest";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";

/*
 * The stand-in for Resend, held to what Resend documents. One that is kinder hides a failure. See also `resend.test.ts`.
 * https://resend.com/docs/api-reference/errors, /introduction, /emails/send-email and /emails/send-batch-emails
 */

const email = { from: "pioneers@waitlist-site.example", to: "ada@example.com", subject: "Hello", text: "Hello" };
const key = { Authorization: "Bearer re_1", "User-Agent": "test/1" };

async function account(options: AccountOptions = {}) {
  const { url, state, advance } = await openResendAccount({ apiKey: "re_1", ...options });
  return {
    accepted: async () => (await state()).accepted.length,
    advance,
    async post(body: unknown, headers: Record<string, string> = {}, path = "/emails", method = "POST") {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const init = { method, headers: { ...key, ...headers }, ...(method === "GET" ? {} : { body: text }) };
      const response = await fetch(url + path, init);
      return { status: response.status, headers: response.headers, body: await response.json<object>() };
    },
  };
}

interface Asked {
  headers?: Record<string, string>;
  path?: string;
  method?: string;
  options?: AccountOptions;
}

const batch = { path: "/emails/batch" };
const batchOf = (count: number) => Array.from({ length: count }, () => email);
const permissive = { "x-batch-validation": "permissive" };
const by = (Authorization: string): Asked => ({ headers: { Authorization } });

test.each<[status: number, name: string, asked: Asked, ...bodies: unknown[]]>([
  [400, "validation_error", by("Bearer nonsense"), email],
  [401, "validation_error", by("Bearer re_2"), email],
  [400, "invalid_idempotency_key", { headers: { "Idempotency-Key": "x".repeat(257) } }, email],
  [400, "validation_error", {}, "{"],
  [404, "not_found", { path: "/emails/one" }, email],
  [405, "method_not_allowed", { method: "GET" }, email],
  [422, "missing_required_field", {}, ...["subject", "to", "text"].map((name) => ({ ...email, [name]: undefined }))],
  [422, "validation_error", {}, { ...email, to: "ada" }, { ...email, to: Array(51).fill(email.to) }, [email]],
  [422, "validation_error", {}, { ...email, tags: [{ name: "e mail", value: "x" }] }],
  [422, "validation_error", batch, email, [], batchOf(101), [email, { ...email, to: "ada" }]],
  [422, "validation_error", batch, [{ ...email, attachments: [] }], [{ ...email, scheduled_at: "in an hour" }]],
  [403, "validation_error", { ...batch, headers: permissive }, [email, { ...email, from: "ada@example.org" }]],
  [429, "daily_quota_exceeded", { ...batch, options: { dailyQuota: 2 } }, batchOf(3)],
])("responds with %d %s", async (status, name, { headers, path, method, options }, ...bodies) => {
  const { post, accepted } = await account(options);
  const isKeyInvalid = headers?.["Authorization"] !== undefined && name === "validation_error";
  const message = isKeyInvalid ? "API key is invalid" : expect.any(String);
  for (const body of bodies) {
    const refused = await post(body, headers, path, method);
    expect(refused).toMatchObject({ status, body: { statusCode: status, name, message } });
  }
  expect(await accepted()).toBe(0);
});

test("is refused at the edge without a User-Agent, which is what workerd sends", async () => {
  const { url } = await openResendAccount();
  const response = await fetch(`${url}/emails`, { method: "POST", headers: { Authorization: "Bearer re_1" } });
  expect([response.status, await response.text()]).toEqual([403, "error code: 1010"]);
});

test("accepts an email and a batch of 100, each email with an id, in order", async () => {
  const { post, accepted } = await account();
  expect(await post(email)).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  const { status, body } = await post(batchOf(100), {}, "/emails/batch");
  expect([status, body]).toEqual([200, { data: Array(100).fill({ id: expect.any(String) }) }]);
  expect(await accepted()).toBe(101);
});

test("reports what is invalid in a permissive batch, by index, and accepts the others", async () => {
  const { post, accepted } = await account();
  const { status, body } = await post([email, { ...email, to: "ada" }], permissive, "/emails/batch");
  const errors = [{ index: 1, message: expect.any(String) }];
  expect([status, body]).toEqual([200, { data: [{ id: expect.any(String) }], errors }]);
  expect(await accepted()).toBe(1);
});

test("sends once for one idempotency key within 24 hours, refuses another body, and without a key sends again", async () => {
  const { post, accepted, advance } = await account();
  const named = { "Idempotency-Key": "a" };
  const first = await post(email, named);
  expect((await post(email, named)).body).toEqual(first.body);
  expect(await post({ ...email, text: "Other" }, named)).toMatchObject({
    status: 409,
    body: { name: "invalid_idempotent_request" },
  });
  expect(await accepted()).toBe(1);
  await advance(24 * 3_600_000 + 1);
  expect((await post(email, named)).body).not.toEqual(first.body);
  for (let n = 0; n < 2; n += 1) await post(email);
  expect(await accepted()).toBe(4);
});

test("says with each response what is left of the rate limit, and beyond it when to try again", async () => {
  const { post } = await account({ rateLimit: 2 });
  const limits = ({ headers }: { headers: Headers }) =>
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => headers.get(name));
  const responses = await Promise.all([post(email), post(email), post(email)]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
  expect(responses.map(limits).toSorted()).toEqual([
    ["2", "0", "1", null],
    ["2", "0", "1", "1"],
    ["2", "1", "1", null],
  ]);
});
