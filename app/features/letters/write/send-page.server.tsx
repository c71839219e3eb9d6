import { countAudience, readSubjectsIn } from "#app/features/letters/send/audience.server.ts";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { mostPeople, startLetter } from "#app/features/letters/send/letter-states.server.ts";
import { draftTimes, type Letter, letterPath } from "#app/features/letters/send/letters.server.ts";
import {
  estimateDuration,
  FIRST_PAUSE_AFTER,
  FIRST_PAUSE_TIME,
  lettersPerHour,
} from "#app/features/letters/send/sending-limits.ts";
import { listSteps } from "#app/features/letters/series/steps.server.ts";
import { describeAudience } from "#app/features/letters/write/audience.ts";
import { audienceFields } from "#app/features/letters/write/audience-page.server.tsx";
import { htmlOf, SizeWarning } from "#app/features/letters/write/email-size.server.tsx";
import { contentFields } from "#app/features/letters/write/letter-content.server.ts";
import { LetterPage, obstacleOf, PublicChoice, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { about } from "#app/features/letters/write/letter-status.server.ts";
import { NotReady, previewOf } from "#app/features/letters/write/preview-page.server.tsx";
import { type FailedTest, sendTestEmail, TestForm } from "#app/features/letters/write/test-email.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { ChoiceField, Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Section } from "#app/owner/ui/page.server.tsx";
import { isTypedCount } from "#app/owner/ui/typed-count.ts";
import { versionOf } from "#app/owner/versions/versions.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import { formatLocalTime, parseLocalTime } from "#app/server/time/local-time.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { series } from "#app/switches.ts";

export async function showSend(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id);
  return respond(c, letter);
}

export async function send(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id, "?done=unchanged");
  return runIntent(c, { test, start }, letter);
}

async function test(c: OwnerContext, letter: Letter) {
  const logged = { action: "test-letter", about: { letterId: letter.id } } as const;
  const failed = await sendTestEmail(c, previewOf(c, letter), logged);
  if (failed !== null) return respond(c, letter, failed);
  return toLetter(c, letter.id, "/send?done=tested");
}

/** Names the words and the audience that the page has shown. */
function versionOfLetter(letter: Letter): Promise<string> {
  return versionOf([...contentFields(letter), ...audienceFields(letter)]);
}

async function start(c: OwnerContext, letter: Letter) {
  const seen = fieldText(c.var.form, "version");
  if (seen !== "" && seen !== (await versionOfLetter(letter))) {
    return respond(c, letter, { status: 409, given: await readStart(c, letter), isChanged: true });
  }
  const given = await readStart(c, letter);
  const { people, at } = given;
  const isRefused = Object.keys(given.problems).length > 0 || obstacleOf(c) !== null;
  if (isRefused) return respond(c, letter, { given, status: 422 });
  const outcome = await startLetter(c.var.app, letter.id, { count: people, at, seen: letter.updated_at });
  switch (outcome.kind) {
    case "started":
    case "scheduled": {
      const action = outcome.kind === "started" ? "send-letter" : "schedule-letter";
      await c.var.record(action, { letterId: letter.id, people });
      logInfo("letter-started", { letterId: letter.id, people, kind: outcome.kind });
      return toLetter(c, letter.id, `?done=${outcome.kind}`);
    }
    case "has-problems":
      return respond(c, letter, { given, status: 422 });
    case "not-a-draft":
      return toLetter(c, letter.id, "?done=unchanged");
    default:
      // Someone joined or left while the form was read.
      return respond(c, letter, { given: await readStart(c, letter), status: 409 });
  }
}

async function readStart(c: OwnerContext, { audience }: Letter) {
  const people = await countAudience(c.var.app, audience);
  const typed = (name: string) => fieldText(c.var.form, name);
  const values = { count: typed("count"), when: typed("when") === "later" ? "later" : "now", time: typed("time") };
  const which = (["first", "second"] as const).find((known) => known === typed("which")) ?? "";
  const start: GivenTime = values.when === "later" ? readTime(values.time, which, c.var.app) : {};
  const problems: { count?: string; time?: string } = {};
  if (values.count === "") problems.count = "Type the number of people.";
  else if (!isTypedCount(values.count, people)) {
    problems.count = `The letter would go to ${counted(people, "person", "people")}. Type that number if this is what you want.`;
  }
  if (start.problem !== undefined) problems.time = start.problem;
  return { people, values: { ...values, which }, problems, at: start.at ?? null, twice: start.twice };
}

type GivenStart = Awaited<ReturnType<typeof readStart>>;

interface GivenTime {
  /** When to start; absent: now. */
  at?: EpochMillis;
  problem?: string;
  /** Both moments of a time that comes twice, for the owner to choose. */
  twice?: Record<"first" | "second", EpochMillis>;
}

function readTime(
  time: string,
  which: "" | "first" | "second",
  { timeZone, now }: OwnerContext["var"]["app"],
): GivenTime {
  const local = parseLocalTime(time, timeZone);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const { format } = new Intl.DateTimeFormat("en-GB", clock);
  switch (local.kind) {
    case "malformed":
      return { problem: "Choose a day and a time." };
    case "skipped":
      return {
        problem: `The clocks go forward that night, so this time does not exist in ${timeZone}. Choose ${format(local.before)} or ${format(local.after)}, or another time.`,
      };
    case "doubled":
      if (which !== "") return { twice: local, ...checkTime(local[which], now()) };
      return {
        twice: local,
        problem: `The clocks go back that night, so this time comes twice in ${timeZone}. Choose which one you mean.`,
      };
    case "exact":
      return checkTime(local.at, now());
  }
}

/** Further ahead is a slip of the hand. */
const MAX_AHEAD: Millis = 366 * 24 * 3_600_000;

function checkTime(at: EpochMillis, now: EpochMillis): GivenTime {
  if (at <= now) return { problem: "This time has passed. Choose a later one, or send it now." };
  return at > now + MAX_AHEAD ? { problem: "Choose a time within a year." } : { at };
}

interface Refusal extends Partial<Omit<FailedTest, "status">> {
  status?: 200 | 409 | FailedTest["status"];
  given?: GivenStart;
  /** Whether the letter is another one than the owner had seen. */
  isChanged?: boolean;
}

async function respond(c: OwnerContext, letter: Letter, refusal: Refusal = {}) {
  const { status = 200, given, isChanged = false, ...failed } = refusal;
  const { app, owner } = c.var;
  const { mailer, emailsPerHour: perHour, timeZone, now } = app;
  const { id } = letter;
  const { missed, cancelled } = draftTimes(letter);
  const wanted = given?.values ?? wantedTime(cancelled, app);
  const action = `/owner/letters/${id}/send`;
  const people = given?.people ?? (await countAudience(app, letter.audience));
  const audience = describeAudience(letter.audience, await readSubjectsIn(app.db, letter.audience));
  const recipients = (
    <>
      <strong>{counted(people, "person", "people")}</strong>
      {audience.length === 0 ? "" : ` (${audience.join("; ")})`}.{" "}
      {people === 0 ? "A letter without recipients cannot be sent. " : ""}
      <a href={`/owner/letters/${id}/audience`}>Change the audience</a>
    </>
  );
  const time = estimateDuration(people, { perHour });
  const limit = `at most ${formatNumber(lettersPerHour(perHour))} emails an hour`;
  const firstPause =
    people > FIRST_PAUSE_AFTER
      ? `, with a pause of ${FIRST_PAUSE_TIME / 60_000} minutes after the first ${formatNumber(FIRST_PAUSE_AFTER)}, so that bounces can arrive`
      : "";
  const problems = checkLetter(letter);
  const obstacle = obstacleOf(c);
  const version = await versionOfLetter(letter);
  const hasSeries = series && (await listSteps(app.db)).some(({ letter_id }) => letter_id !== null);
  c.status(status);
  return c.render(
    <LetterPage letter={letter} current="Send">
      {problems === null ? null : <NotReady name="letter" path={`/owner/letters/${id}`} problems={problems} />}
      {isChanged ? (
        <Message kind="error" role="alert">
          The letter or its audience was changed after you had opened this page, so nothing was sent.{" "}
          <a href={`/owner/letters/${id}/preview`}>Look at it as it is now</a>, then send it.
        </Message>
      ) : null}
      <SizeWarning name="letter" html={htmlOf(letter, app.emailContext)} />
      {missed === null ? null : (
        <Message kind="error">
          {`The letter was to start on ${formatTime(missed, timeZone)}, but the site could not start it within an hour. It has not been sent. Send it now, or choose another time.`}
        </Message>
      )}
      <Section id="summary" title="Summary">
        <Facts
          facts={[
            ["Text", <LastSaved key="text" letter={letter} timeZone={timeZone} />],
            ["To", recipients],
            ["Invitation", letter.is_invitation ? "Yes: they count as invited once it has been sent to them." : "No"],
            ["Through", mailer?.description ?? "No sender is configured"],
            ["Takes", `${durationText(time)}: ${limit}${firstPause}.`],
            ["Ends", `About ${formatTime(now() + time, timeZone)}, if it starts now. Times are in ${timeZone}.`],
          ]}
        />
      </Section>
      <TestForm
        name="letter"
        content={letter}
        action={action}
        owner={owner.email}
        isReady={problems === null}
        failed={failed}
      />
      <PublicChoice letter={letter} back="send" />
      <Section id="send" title="Send the letter">
        <Message kind="error">{obstacle}</Message>
        {hasSeries ? (
          <p>
            Follow-up emails are on. If this letter announces the launch, send it at least a day after you{" "}
            <a href="/owner/series">switch them off</a>.
          </p>
        ) : null}
        {problems === null && obstacle === null && people > 0 ? (
          <StartForm {...{ action, timeZone, given, version, wanted }} count={people} />
        ) : null}
      </Section>
    </LetterPage>,
  );
}

/** The time of a schedule that was cancelled, unless it has passed. */
function wantedTime(cancelled: EpochMillis | null, { timeZone, now }: OwnerContext["var"]["app"]) {
  if (cancelled === null || cancelled <= now()) return { when: "now", time: "" };
  return { when: "later", time: formatLocalTime(cancelled, timeZone) };
}

function durationText(duration: Millis): string {
  const minutes = duration / 60_000;
  if (minutes <= 2) return "A minute or two";
  if (minutes < 90) return `About ${Math.ceil(minutes / 5) * 5} minutes`;
  const hours = minutes / 60;
  return hours < 48 ? `About ${Math.ceil(hours)} hours` : `About ${Math.ceil(hours / 24)} days`;
}

function LastSaved({ letter, timeZone }: { letter: Letter; timeZone: string }) {
  return (
    <>
      {`As it was saved on ${formatTime(letter.updated_at, timeZone)}. `}
      <a href={`${letterPath(letter.id)}/preview`}>See it</a>
    </>
  );
}

interface StartFormProps {
  action: string;
  /** Of the letter that the page shows: another one is not sent. */
  version: string;
  count: number;
  timeZone: string;
  given: GivenStart | undefined;
  /** The time to begin with. */
  wanted: Pick<GivenStart["values"], "when" | "time">;
}

function StartForm({ action, version, count, timeZone, given, wanted }: StartFormProps) {
  return (
    <form className="form letter-start" method="post" action={action}>
      <input type="hidden" name="version" value={version} />
      <ChoiceField name="when" legend="When" options={{ now: "Now", later: "At the time below" }} value={wanted.when} />
      {/* Shown with the second choice, where the browser knows :has(). */}
      <div className="group letter-time">
        <p className="hint">
          {`Who matches when it starts gets it: ${about(count)} now. If that is more than ${formatNumber(mostPeople(count))} by then, it waits and asks you.`}
        </p>
        <Field
          name="time"
          label={`Day and time in ${timeZone}`}
          type="datetime-local"
          value={wanted.time}
          problem={given?.problems.time}
        />
        {given?.twice ? (
          <ChoiceField
            name="which"
            legend="Which one"
            options={bothTimes(given.twice, timeZone)}
            value={given.values.which}
          />
        ) : null}
      </div>
      <Field
        name="count"
        label={`To confirm, type the number of people (${formatNumber(count)})`}
        inputMode="numeric"
        value={given?.values.count}
        problem={given?.problems.count}
      />
      <p className="hint">
        Once it has been started or scheduled, its text and its audience cannot be changed. You can pause and stop it.
      </p>
      <Button label="Send the letter" value="start" />
    </form>
  );
}

/** A time that comes twice when clocks go back, with the names of its time zones. */
function bothTimes({ first, second }: { first: number; second: number }, timeZone: string): Record<string, string> {
  const clock = { hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  const { format } = new Intl.DateTimeFormat("en-GB", clock);
  return { first: `The first (${format(first)})`, second: `The second (${format(second)})` };
}
