import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { chooseMailer } from "#app/email/choose-mailer.server.ts";
import { parseConfig } from "#app/server/config/config.server.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import { addPeople, letterHarness, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

test("a letter leaves out an address with a letter such as ø before the @, and reaches everyone else", async () => {
  const harness = await letterHarness();
  const { config } = parseConfig({ ...env, RESEND_API_KEY: "re_test" });
  harness.deps.mailer = (config && chooseMailer(env.EMAIL, { ...config, RESEND_URL: harness.resend.url })) as Mailer;
  await addPeople(3);
  await env.DB.exec("UPDATE waitlist_emails SET email = 'søren@stalls.net' WHERE email LIKE 'person2@%'");
  await harness.start();
  await harness.sweep();
  expect(await harness.accepted()).toEqual(["person1@example.com", "person3@example.com"]);
  expect((await recipients()).map(({ state }) => state)).toEqual(["sent", "failed", "sent"]);
});
