import { expect, onTestFinished, test, vi } from "vitest";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { mockFetch, turnstileKeys } from "#tests/support/pool/failures.ts";
import { apiSite, statusAndBody } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const ok = { status: 200, body: { ok: true } };

test("ten calls, nine of them concurrent, send one welcome email, ignoring letter case, and mark it as sent", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  const ask = async () => (await site.post("/api/send-welcome", { email: "ADA@example.com" })).status;
  expect([...(await Promise.all(Array.from({ length: 9 }, ask))), await ask()]).toEqual(Array(10).fill(200));
  expect(accepted).toEqual(["ada@example.com"]);
  expect(await rows("email_outbox")).toMatchObject([{ done_at: expect.any(Number), attempts: 1, reason: null }]);
});

test("Turnstile is not asked: its token was used by the sign-up, and who has none meets no stricter limit", async () => {
  let asked = 0;
  mockFetch(async () => {
    asked += 1;
    return Response.json({ success: false, "error-codes": ["timeout-or-duplicate"] });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const site = apiSite(turnstileKeys as Partial<Env>);
  for (const token of ["", "", "", "", "", "", "used"]) {
    const fields = { email: "ada@example.com", "cf-turnstile-response": token };
    expect(await statusAndBody(await site.post("/api/send-welcome", fields))).toEqual(ok);
  }
  expect(asked).toBe(0);
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
  expect(await rows("email_outbox")).toMatchObject([{ done_at: null }]);
  resolve();
  await Promise.all([listed.finished(), unlisted.finished()]);
  expect(submitted).toBe(1);
  expect(await rows("email_outbox")).toMatchObject([{ done_at: expect.any(Number) }]);
});
