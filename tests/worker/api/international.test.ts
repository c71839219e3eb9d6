import { expect, test } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, statusAndBody } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
captureLog();
const site = apiSite();

const post = async (fields: object) => statusAndBody(await site.post("/api/signup", fields));

test("an address with a letter such as ø before the @ joins, and the response says that it gets no email", async () => {
  const { status, body } = await post({ email: "Søren@Example.com" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ok: true,
    message: "Thanks for joining! Please check your email.",
    note: expect.stringContaining("We can’t send email to addresses with letters such as ø"),
  });
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "søren@example.com" }]);
});

test("a filled honeypot gets the same note; the second sign-up and other addresses get none", async () => {
  const pretended = await post({ email: "søren@example.com", pitch_remark: "https://spam.example" });
  expect(pretended.body).toMatchObject({
    note: expect.stringContaining("We can’t send email to addresses with letters such as ø"),
  });
  await post({ email: "søren@example.com" });
  for (const email of ["søren@example.com", "ada@example.com", "ada@piñata.es"]) {
    expect((await post({ email })).body).not.toHaveProperty("note");
  }
});
