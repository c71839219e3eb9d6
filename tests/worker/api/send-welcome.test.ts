import { describe, expect, test } from "vitest";
import { attemptsInOneMinute } from "#tests/support/minute.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, statusAndBody } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
const log = captureLog();

const ok = { status: 200, body: { ok: true } };

test("sends the welcome email, ignoring letter case, and marks it as sent", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  expect(await statusAndBody(await site.post("/api/send-welcome", { email: "ADA@example.com" }))).toEqual(ok);
  expect(accepted).toEqual(["ada@example.com"]);
  expect(await rows("email_outbox")).toMatchObject([{ sent_at: expect.any(Number), attempts: 1, reason: null }]);
});

test("responds the same for an unlisted address, and sends nothing", async () => {
  const { binding, accepted } = emailBinding();
  const response = await apiSite({ EMAIL: binding }).post("/api/send-welcome", { email: "eve@example.com" });
  expect(await statusAndBody(response)).toEqual(ok);
  expect(accepted).toEqual([]);
});

test("ten calls, nine of them concurrent, send one email", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  const responses = await Promise.all(
    Array.from({ length: 9 }, () => site.post("/api/send-welcome", { email: "ada@example.com" })),
  );
  responses.push(await site.post("/api/send-welcome", { email: "ada@example.com" }));

  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(accepted).toEqual(["ada@example.com"]);
});

test("a failed send: the same response, the entry is kept, and the next call respects the back-off", async () => {
  const { binding, accepted } = emailBinding({ failures: 1 });
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  for (let call = 0; call < 2; call += 1) {
    expect(await statusAndBody(await site.post("/api/send-welcome", { email: "ada@example.com" }))).toEqual(ok);
  }

  expect(accepted).toEqual([]);
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 1, sent_at: null, dead_at: null }]);
});

test("without a sender: the email waits, and the response is the same", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding, MAIL_FROM: "" } as Partial<Env>);
  await site.post("/api/signup", { email: "ada@example.com" });
  expect(await statusAndBody(await site.post("/api/send-welcome", { email: "ada@example.com" }))).toEqual(ok);
  expect(accepted).toEqual([]);
});

test("a failing database: the same response, and a line in the log", async () => {
  const response = await apiSite({ DB: brokenD1 }).post("/api/send-welcome", { email: "ada@example.com" });
  expect(await statusAndBody(response)).toEqual(ok);
  expect(log.filter((line) => line.includes("welcome-failed"))).toHaveLength(1);
  expect(log.join()).not.toContain("ada@example.com");
});

test("neither response waits for a provider that does not answer: listed and unlisted addresses get the same", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let submitted = 0;
  const EMAIL = {
    async send() {
      submitted += 1;
      await promise;
      return { messageId: "1" };
    },
  } as unknown as SendEmail;
  const site = apiSite({ EMAIL });
  await site.post("/api/signup", { email: "ada@example.com" });
  const respond = async (email: string) => {
    const { response, finished } = await site.start("/api/send-welcome", { email });
    const { status, headers } = response;
    return { comparable: { status, headers: Object.fromEntries(headers), body: await response.text() }, finished };
  };
  const listed = await respond("ada@example.com");
  const unlisted = await respond("eve@example.com");
  expect(listed.comparable).toEqual(unlisted.comparable);
  expect(listed.comparable).toMatchObject({ status: 200, body: '{"ok":true}' });
  // Both responses were complete while the provider still held the email.
  expect(await rows("email_outbox")).toMatchObject([{ sent_at: null }]);
  resolve();
  await Promise.all([listed.finished(), unlisted.finished()]);
  expect(submitted).toBe(1);
  expect(await rows("email_outbox")).toMatchObject([{ sent_at: expect.any(Number) }]);
});

test("the 11th call for one address in a minute: 429 with Retry-After", async () => {
  const post = (_: number, run: number) => apiSite().post("/api/send-welcome", { email: `ada${run}@example.com` });
  const responses = await attemptsInOneMinute(11, post);
  const results = responses.map(({ status, headers }) => [status, headers.get("Retry-After")]);
  expect(results).toEqual([...Array(10).fill([200, null]), [429, "60"]]);
});

describe("bad input", () => {
  const site = apiSite();
  test.each([
    ["an empty body", "", 400],
    ["an array", "[]", 400],
    ["an email that is a number", '{"email":1}', 422],
    ["5 KB", JSON.stringify({ email: "x".repeat(5_000) }), 413],
  ])("%s", async (_what, body, status) => {
    expect((await site.post("/api/send-welcome", body)).status).toBe(status);
  });

  test("GET, a form-encoded body and another origin", async () => {
    expect((await site.request("/api/send-welcome")).status).toBe(405);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await site.post("/api/send-welcome", "email=ada@example.com", form)).status).toBe(415);
    const crossOrigin = { Origin: "https://evil.example" };
    expect((await site.post("/api/send-welcome", { email: "ada@example.com" }, crossOrigin)).status).toBe(403);
  });
});
