import { expect, test } from "vitest";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, statusAndBody } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
captureLog();
const site = apiSite();

const post = async (fields: object) => statusAndBody(await site.post("/api/signup", fields));
const suggestion = "ada@gmail.com";
/** Tokens are never equal; tests/worker/api/answers.test.ts compares their form. */
const withoutToken = ({ status, body }: { status: number; body: unknown }) => {
  return { status, body: { ...(body as object), answerToken: null, via: null } };
};

test("a misspelt address joins as typed, and the response suggests a correction", async () => {
  const joined = {
    ok: true,
    message: "Thanks for joining! Please check your email.",
    answerToken: expect.any(String),
    ...(switches.referrals ? { via: expect.stringMatching(/^\w{8}$/) } : {}),
    questions,
  };
  expect(await post({ email: "Ada@Gmial.com" })).toEqual({ status: 201, body: { ...joined, suggestion } });
  expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(["ada@gmial.com"]);
  expect(await post({ email: suggestion })).toEqual({ status: 201, body: joined });
});

test("errors about the address come with a suggestion, too", async () => {
  await post({ email: "ada@gmial.com" });
  expect(await post({ email: "ada@gmial.com" })).toMatchObject({
    status: 409,
    body: { ok: false, error: { code: "already-joined" }, suggestion },
  });
  expect(await post({ email: "ada@gmail" })).toMatchObject({
    status: 422,
    body: { ok: false, error: { code: "invalid-email" }, suggestion },
  });
});

test("a filled honeypot gets the same suggestion as a real sign-up", async () => {
  const real = await post({ email: "ada@gmial.com" });
  const pretended = await post({ email: "ada@gmial.com", pitch_remark: "https://spam.example" });
  expect(real).toMatchObject({ body: { suggestion } });
  expect(withoutToken(pretended)).toEqual(withoutToken(real));
});

test("other errors come without one", async () => {
  const response = await post({ email: "ada@gmial.com", source: "<b>" });
  expect(response).toMatchObject({ status: 422, body: { error: { code: "invalid-source" } } });
  expect(response.body).not.toHaveProperty("suggestion");
});
