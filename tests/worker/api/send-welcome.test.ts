import { describe, expect, test } from "vitest";
import { withinOneMinute } from "#tests/support/minute.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { answer, apiSite, errorBody } from "#tests/support/pool/site.ts";

freshDatabaseForEachTest();
captureLog();

const ok = { status: 200, body: { ok: true } };

test("sends the mail of somebody who has joined, in whatever letter case, and stamps it", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  expect(await answer(await site.post("/api/send-welcome", { email: "ADA@example.com" }))).toEqual(ok);
  expect(accepted).toEqual(["ada@example.com"]);
  expect(await rows("mail_outbox")).toMatchObject([{ sent_at: expect.any(Number), attempts: 1, last_error: null }]);
});

test("answers the same for an address that is not listed, and sends nothing", async () => {
  const { binding, accepted } = emailBinding();
  const response = await apiSite({ EMAIL: binding }).post("/api/send-welcome", { email: "eve@example.com" });
  expect(await answer(response)).toEqual(ok);
  expect(accepted).toEqual([]);
});

test("ten calls at once, and one more later, send one mail", async () => {
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

test("a send that fails: 502, the sign-up stands, and the next call waits for the back-off", async () => {
  const { binding, accepted } = emailBinding({ failures: 1 });
  const site = apiSite({ EMAIL: binding });
  await site.post("/api/signup", { email: "ada@example.com" });

  const failed = await site.post("/api/send-welcome", { email: "ada@example.com" });
  expect(await answer(failed)).toEqual({ status: 502, body: errorBody("mail-failed", expect.any(String)) });
  expect(await answer(await site.post("/api/send-welcome", { email: "ada@example.com" }))).toEqual(ok);

  expect(accepted).toEqual([]);
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
  expect(await rows("mail_outbox")).toMatchObject([{ attempts: 1, sent_at: null, dead_at: null }]);
});

test("without a sender mail waits, and the call is answered the same", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ EMAIL: binding, MAIL_FROM: "" } as Partial<Env>);
  await site.post("/api/signup", { email: "ada@example.com" });
  expect(await answer(await site.post("/api/send-welcome", { email: "ada@example.com" }))).toEqual(ok);
  expect(accepted).toEqual([]);
});

test("a database that fails: 503", async () => {
  const response = await apiSite({ DB: brokenD1 }).post("/api/send-welcome", { email: "ada@example.com" });
  expect(await answer(response)).toEqual({ status: 503, body: errorBody("unavailable", expect.any(String)) });
});

test("the 11th call for one address in a minute: 429, and how long to wait", async () => {
  const answers = await withinOneMinute(async (run) => {
    const responses = [];
    for (let n = 0; n < 11; n += 1) {
      responses.push(await apiSite().post("/api/send-welcome", { email: `ada${run}@example.com` }));
    }
    return responses.map(({ status, headers }) => [status, headers.get("Retry-After")]);
  });
  expect(answers).toEqual([...Array(10).fill([200, null]), [429, "60"]]);
});

describe("bad input gets its status", () => {
  const site = apiSite();
  test.each([
    ["an empty body", "", 400],
    ["an array", "[]", 400],
    ["an email that is a number", '{"email":1}', 422],
    ["5 KB", JSON.stringify({ email: "x".repeat(5_000) }), 413],
  ])("%s", async (_what, body, status) => {
    expect((await site.post("/api/send-welcome", body)).status).toBe(status);
  });

  test("GET, a form-encoded body and a foreign Origin", async () => {
    expect((await site.request("/api/send-welcome")).status).toBe(405);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await site.post("/api/send-welcome", "email=ada@example.com", form)).status).toBe(415);
    const foreign = { Origin: "https://evil.example" };
    expect((await site.post("/api/send-welcome", { email: "ada@example.com" }, foreign)).status).toBe(403);
  });
});
