import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { findLetter } from "#app/features/letters/send/letters.server.ts";
import { planStep } from "#app/features/letters/series/plan-step.server.ts";
import { changeStep, deleteStep, extendBack, switchOff } from "#app/features/letters/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { HOUR, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { begunSeries, DAY, type SeriesHarness, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test.each([
  ["deleted", (site: SeriesHarness, id: number) => site.find(id).then((step) => deleteStep(site.stepDeps, step))],
  ["switched off", (site: SeriesHarness, id: number) => site.off(id)],
  ["changed", (site: SeriesHarness, id: number) => site.change(id, { body: "Mended." })],
])("a step that waits for the owner with a batch in doubt, and is %s, holds nobody back", async (_, act) => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }], 1);
  const { id, letter_id } = site.first;
  await site.pass(DAY);
  await site.resend.fail("broken");
  await site.sweep();
  await site.pass(HOUR);
  await site.complain(letter_id);
  await act(site, id);
  await site.join(1);
  await site.days(5);
  expect(await site.sent()).toContain("person1@example.com: After 2 days");
  expect(await site.sent()).toContain("person2@example.com: After 2 days");
  expect((await recipients())[0]).toMatchObject({ state: "unknown", reason: "never-confirmed" });
  expect((await site.letter(letter_id ?? 0)).state).toBe("finished");
});

test("deleted while its batch is refused for a fault of the configuration, it holds nobody back", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }], 1);
  await site.pass(DAY);
  await site.resend.fail(apiError(403, "invalid_api_key", "API key is invalid."));
  await site.sweep({
    mailer: site.beforeRequests(async () => {
      if ((await rows("series_steps")).length === 2) await deleteStep(site.stepDeps, await site.find(site.id));
    }),
  });
  await env.DB.exec("DELETE FROM email_pauses");
  await site.join(1);
  await site.days(5);
  expect(await site.sent()).toEqual(["person1@example.com: After 2 days", "person2@example.com: After 2 days"]);
});

test("refused while it is switched off, a batch is sent to nobody after", async () => {
  const site = await begunSeries([{ days: 1 }], 1);
  await site.pass(DAY);
  await site.resend.fail(apiError(429, "rate_limit_exceeded", "Too many requests."));
  await site.sweep({ mailer: site.beforeRequests(() => site.off(site.id)) });
  await site.days(2);
  expect(await site.sent()).toEqual([]);
  expect(await recipients()).toEqual([]);
});

test("of two changes at once, and of a change and switching off, the later one is refused", async () => {
  const site = await begunSeries([{ days: 1 }]);
  const step = await site.find(site.id);
  const { stepDeps } = site;
  expect(await changeStep(stepDeps, step, { ...step, subject: "One" })).toBe(true);
  expect(await changeStep(stepDeps, step, { ...step, subject: "Two" })).toBe(false);
  const changed = await site.find(site.id);
  expect([changed.subject, (await site.letter(changed.letter_id ?? 0)).subject]).toEqual(["One", "One"]);
  await switchOff(stepDeps, changed);
  expect(await changeStep(stepDeps, changed, { ...changed, subject: "Three" })).toBe(false);
  expect(await site.find(site.id)).toMatchObject({ subject: "One", letter_id: null });
});

test("extended while its recipients are written, it is sent to those who joined before as well", async () => {
  const site = await seriesHarness();
  await site.join(2, -DAY);
  const { id, letter_id } = await site.addOn({ days: 1 });
  const letter = await findLetter(site.db, letter_id ?? 0);
  if (letter === null) throw new Error("The step has no letter");
  let isExtended = false;
  const d1 = wrapD1(env.DB, async (work, statements) => {
    if (statements.length > 1 && !isExtended) {
      isExtended = true;
      await extendBack(site.stepDeps, await site.find(id), 2);
    }
    return work();
  });
  await planStep({ ...site.stepDeps, db: openDb(d1), launchUrl: undefined }, letter);
  expect(isExtended).toBe(true);
  await site.days(1);
  expect(await site.sent()).toHaveLength(2);
});

test("complaints about emails before and after a change pause the step together", async () => {
  const site = await begunSeries([{ days: 1 }], 10);
  const { id, letter_id } = site.first;
  await site.join(10, DAY);
  await site.pass(DAY);
  await site.sweep();
  await site.change(id, { body: "Changed." });
  await site.pass(DAY);
  await site.sweep();
  const complainOf = async (letterId: number | null, entryId: number) => {
    const { key } = await site.letter(letterId ?? 0);
    const recipient = `person${entryId}@example.com`;
    const event = { id: `event-${entryId}`, kind: "complaint", about: { letter: key, entryId }, recipient } as const;
    await applyProviderEvent(site.deps, event);
  };
  await complainOf(letter_id, 1);
  await complainOf((await site.find(id)).letter_id, 11);
  expect(await site.stats(id)).toMatchObject({ complained: 2, pause: null });
  await complainOf(letter_id, 2);
  expect(await site.stats(id)).toMatchObject({ complained: 3, pause: { reason: "complaints" } });
  expect((await site.letter(letter_id ?? 0)).state).toBe("finished");
});
