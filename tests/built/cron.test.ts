import { expect, test } from "vitest";
import { bindingsWith, mailbox, runCron } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, join } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

test("a trigger of a feature that is switched off does nothing, and the main one sends what is due", async () => {
  await join("ada@example.com");
  const { emails, EMAIL } = mailbox();
  const bindings = bindingsWith({ EMAIL });
  await runCron(bindings, "*/7 * * * *");
  expect(emails).toEqual([]);
  await runCron(bindings);
  expect(emails.map(({ to }) => to)).toEqual(["ada@example.com"]);
});
