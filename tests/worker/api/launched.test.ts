import { expect, test } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, statusAndBody } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
captureLog();

const launchUrl = "https://app.market.example/welcome";
const before = apiSite();
const after = apiSite({ LAUNCH_URL: launchUrl } as Partial<Env>);

const launched = {
  status: 410,
  body: { ok: false, error: { code: "launched", message: expect.stringContaining(launchUrl) }, launchUrl },
};

test.each([
  ["a new address", { email: "ada@example.com" }],
  ["a malformed address", { email: "ada" }],
  ["a filled honeypot", { email: "bot@example.com", pitch_remark: "https://spam.example" }],
])("after the launch %s gets 410 with the product's address, and nothing is stored", async (_, body) => {
  expect(await statusAndBody(await after.post("/api/signup", body))).toEqual(launched);
  for (const table of ["waitlist_emails", "email_outbox", "blocked_attempts"] as const) {
    expect(await rows(table)).toEqual([]);
  }
});

test("after the launch a request that is not a JSON object is still refused as such", async () => {
  expect((await after.post("/api/signup", "email=ada@example.com")).status).toBe(400);
  expect((await after.request("/api/signup")).status).toBe(405);
});

test("people who joined before are still sent the queued welcome email, and can still answer the question", async () => {
  const { answerToken } = await (await before.post("/api/signup", { email: "ada@example.com" })).json<{
    answerToken: string;
  }>();
  expect((await after.post("/api/answers", { answerToken, answers: { role: "host" } })).status).toBe(200);
  expect((await after.post("/api/send-welcome", { email: "ada@example.com" })).status).toBe(200);

  expect(await rows("waitlist_emails")).toMatchObject([
    { email: "ada@example.com", status: "active", answers: '{"role":"host"}' },
  ]);
  expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", sent_at: expect.any(Number) }]);
});

test("a malformed LAUNCH_URL is ignored, so that the site goes on collecting sign-ups", async () => {
  const site = apiSite({ LAUNCH_URL: "http://app.market.example" } as Partial<Env>);
  expect((await site.post("/api/signup", { email: "ada@example.com" })).status).toBe(201);
});
