import { batchesToSend } from "#app/features/letters/send/cron.server.ts";
import { readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import {
  changeStep,
  createStep,
  findStep,
  type StepDraft,
  switchOff,
  switchOn,
} from "#app/features/letters/series/steps.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import type { BatchMessage } from "#app/server/mailer.server.ts";
import { followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";
import { addPeople, HOUR, letterHarness } from "#tests/features/letters/pool/letter-harness.ts";
import { sendAll } from "#tests/support/pool/emails.ts";
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
  let joined = 0;
  const accepted = async () =>
    (await harness.resend.state()).accepted.filter(({ tags }) => tags["letter"] !== undefined);
  return {
    ...harness,
    stepDeps,
    /** Launches the product. */
    launch(url: string) {
      site.launchUrl = url;
    },
    find,
    /** Adds people who join so long from now, see {@link joinPeople}. */
    async join(count: number, after = 1) {
      await joinPeople(count, { at: clock.now + after, first: joined + 1 });
      joined += count;
    },
    stats: async (step: number) => (await readSeriesStats(db)).get(step),
    /** A run of the cron job, as far as the series and letters are concerned. @returns whether it had something to do */
    async sweep({ subrequests = 870, ...replaced }: { subrequests?: number } & Partial<typeof deps> = {}) {
      let isDue = false;
      await sendAll({ ...site, ...replaced }, subrequests + 30, async function* (counted, run) {
        const before = run.subrequests;
        try {
          yield* batchesToSend(counted, run);
        } finally {
          // Also where the sender asks for no more. Asking takes one statement.
          isDue = before - run.subrequests > 1;
        }
      });
      return isDue;
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
      execute("INSERT INTO email_pauses VALUES ('follow-ups', ?, 'complaints', NULL, 0)", letterId),
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
    /** The follow-ups that the provider accepted, in order. */
    accepted,
    /** The same as addresses with subjects. */
    async sent(): Promise<string[]> {
      return (await accepted()).map(({ to, subject }) => `${to}: ${subject}`);
    },
  };
}

export type SeriesHarness = Awaited<ReturnType<typeof seriesHarness>>;

/** A series whose steps are on, the first of which has `id`, and people who join then. */
export async function begunSeries(steps: (Partial<StepDraft> & { days: number })[], people = 0, options: Options = {}) {
  const site = await seriesHarness(options);
  const on: Step[] = [];
  for (const draft of steps) on.push(await site.addOn(draft));
  if (people > 0) await site.join(people);
  const [first, second] = on as [Step, Step];
  return { ...site, first, second, id: first.id };
}

/** Adds people who join at a time and agree to follow-up emails: `person1@example.com` and so on. Those with even numbers are hosts. */
export async function joinPeople(count: number, { at, first = 1 }: { at: number; first?: number }): Promise<void> {
  const metadata = JSON.stringify({ signup_platform: "web", signup_date: new Date(at).toISOString() });
  const agreed = { metadata, created_at: at, consent_version: followUpVersions[0] };
  await addPeople(count, first, (n) => ({ ...agreed, answers: n % 2 === 0 ? '{"role":"host"}' : null }));
}
