import { findDueLetters } from "#app/email/letters/due-letters.server.ts";
import { sendLetters } from "#app/email/letters/send-letters.server.ts";
import type { BatchMessage } from "#app/email/mailer.server.ts";
import { createSeries, seriesState } from "#app/email/series/due-steps.server.ts";
import {
  changeStep,
  createStep,
  findStep,
  type StepDraft,
  switchOff,
  switchOn,
} from "#app/email/series/steps.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { followUpVersions } from "#app/waitlist/consent-wording.ts";
import { addPeople, HOUR, letterHarness } from "#tests/support/pool/letter-harness.ts";
import { execute } from "#tests/support/pool/start.ts";

export const DAY = 24 * HOUR;

type Options = Parameters<typeof letterHarness>[0] & { launchUrl?: string };

/** The series on the real database, sent to an account of the fake Resend, from 21 November 2026, 12:00 UTC. */
export async function seriesHarness({ launchUrl, ...options }: Options = {}) {
  const harness = await letterHarness(options);
  const { deps, db, clock, audienceDeps } = harness;
  const stepDeps = { ...audienceDeps, emailsPerHour: deps.emailsPerHour };
  const site = { ...deps, launchUrl };
  const find = async (id: number): Promise<Step> => {
    const step = await findStep(db, id);
    if (step === null) throw new Error(`There is no step ${id}`);
    return step;
  };
  return {
    ...harness,
    stepDeps,
    /** Launches the product. */
    launch(url: string) {
      site.launchUrl = url;
    },
    find,
    /** A run of the cron job, as far as the series and letters are concerned. @returns whether it had something to do */
    async sweep({ subrequests = 876, ...replaced }: { subrequests?: number } & Partial<typeof deps> = {}) {
      const all = { ...site, ...replaced };
      const { isDue, steps } = await findDueLetters(all.db, clock.now, seriesState);
      const series = createSeries(all, steps);
      if (!isDue && !series.isDue) return false;
      await sendLetters({ ...all, series }, { subrequests, until: clock.now + 55_000 });
      return true;
    },
    /** Lets days pass, in each of which the cron job runs as often as given (milliseconds). */
    async days(count: number, every = 3 * HOUR) {
      for (const end = clock.now + count * DAY; clock.now < end; ) {
        await harness.pass(every);
        await this.sweep();
      }
    },
    /** Adds a step, which is off. */
    async add(draft: Partial<StepDraft> & { days: number }): Promise<Step> {
      const words = { subject: `After ${draft.days} days`, preview_line: "", body: "Hello.", reply_to: null };
      return find((await createStep(db, { ...words, audience: null, ...draft }, clock.now)) ?? Number.NaN);
    },
    /** Adds a step that is on. */
    async addOn(draft: Partial<StepDraft> & { days: number }): Promise<Step> {
      const step = await this.add(draft);
      await switchOn(stepDeps, step);
      return find(step.id);
    },
    on: async (id: number) => switchOn(stepDeps, await find(id)),
    off: async (id: number) => switchOff(stepDeps, await find(id)),
    change: async (id: number, draft: Partial<StepDraft>) => {
      const step = await find(id);
      await changeStep(stepDeps, step, { ...step, ...draft });
    },
    /** Pauses a step's letter as an event about complaints does. */
    complain: (letterId: number | null) =>
      execute("UPDATE letters SET state = 'paused', pause_reason = 'complaints' WHERE id = ?", letterId),
    /** A mailer that does something else before each request. */
    beforeRequests(act: (messages: BatchMessage[]) => Promise<unknown>) {
      const { batch, ...mailer } = deps.mailer;
      return {
        ...mailer,
        async batch(messages: BatchMessage[], key: string) {
          await act(messages);
          if (batch === undefined) throw new Error("This mailer sends no batches");
          return batch(messages, key);
        },
      };
    },
    /** What the provider accepted: addresses with subjects, in order. */
    async sent(): Promise<string[]> {
      return (await harness.resend.state()).accepted.map(({ to, subject }) => `${to}: ${subject}`);
    },
  };
}

export type SeriesHarness = Awaited<ReturnType<typeof seriesHarness>>;

/** Adds people who join at a time and agree to follow-up emails: `person1@example.com` and so on. Those with even numbers are hosts. */
export async function joinPeople(count: number, { at, first = 1 }: { at: number; first?: number }): Promise<void> {
  const metadata = JSON.stringify({ signup_platform: "web", signup_date: new Date(at).toISOString() });
  const agreed = { metadata, created_at: at, consent_version: followUpVersions[0] };
  await addPeople(count, first, (n) => ({ ...agreed, answers: n % 2 === 0 ? '{"role":"host"}' : null }));
}
