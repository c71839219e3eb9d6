import { desc, eq, sql } from "drizzle-orm";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { ownLinks, type Previewed } from "#app/features/letters/write/preview-page.server.tsx";
import { sendTest, TEST_MARK } from "#app/owner/test-email.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { addressField, ChoiceField, Field, FieldProblem } from "#app/owner/ui/field.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import { withinKeyLimit } from "#app/server/abuse/rate-limits.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import { type Answers, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";
import { suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { type EpochMillis, HOUR } from "#app/server/time/units.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { findEntry } from "#app/waitlist/entries/entries.server.ts";
import { findSuppression } from "#app/waitlist/filter/list-entries.server.ts";
import { greetingKeys, sampleAnswers } from "#app/waitlist/questions/greetings.server.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";

/** Tests that an owner can send to other addresses than their own within an hour: enough to try a letter, useless for spam. */
export const TESTS_PER_HOUR = 20;

/** Of the newest actions in the log, so many are read to count tests. */
const READ_ACTIONS = 1_000;

const sources = ["none", "sample", "person"] as const;

/** What the form says, to show it again. It is stored nowhere. */
interface GivenTest {
  to: string;
  answers: (typeof sources)[number];
  /** An address on the list or the number of an entry. */
  person: string;
  problems: { to?: string; person?: string };
}

/** A test that was not sent, or may not have been, and why. */
export interface FailedTest {
  status: 422 | 429 | 502;
  testProblem?: string;
  test?: GivenTest;
}

interface Logged {
  action: "test-letter" | "test-step";
  /** The id of what is tested. */
  about: { letterId: number } | { stepId: number };
}

/**
 * At once and outside the outbox: the page says what came of it. The log says whether it went to another address, never to
 * which one.
 *
 * @returns null if the test was sent
 */
export async function sendTestEmail(
  c: OwnerContext,
  { content, web }: Pick<Previewed, "content" | "web">,
  { action, about }: Logged,
): Promise<FailedTest | null> {
  const { app, owner } = c.var;
  const { emailContext } = app;
  const test = readTest(c);
  // The page says what has to be mended.
  if (checkLetter(content) !== null) return { status: 422, test };
  const to = normaliseEmail(test.to);
  const chosen = await findAnswers(app.db, test);
  if (chosen.problem !== undefined) test.problems.person = chosen.problem;
  const refusal = to === null ? `${INVALID_EMAIL}.` : await whyNoTest(c, to);
  if (refusal !== null) test.problems.to = refusal;
  if (to === null || refusal !== null || chosen.problem !== undefined) return { status: 422, test };
  const isOwn = to === owner.email;
  if (!isOwn && !(await mayTest(c, action))) {
    const testProblem = `You have sent ${TESTS_PER_HOUR} tests to other addresses within an hour. Wait a while, or send it to yourself.`;
    return { status: 429, testProblem, test };
  }
  const subject = TEST_MARK + content.subject;
  const rendered = renderLetter({ ...content, subject }, await ownLinks(app, web), emailContext, chosen.answers);
  const replyTo = content.reply_to ?? emailContext.replyTo;
  const logged = { ...about, own: isOwn };
  const { state, problem } = await sendTest(c, { to, replyTo, ...rendered }, "letter-tested", logged);
  if (state === "sent" || (state === "unknown" && !isOwn)) {
    await c.var.record(action, {
      ...about,
      ...(isOwn ? {} : { to: OTHER }),
      ...(chosen.entryId === null ? {} : { "with the answers of entry": `${chosen.entryId}` }),
    });
  }
  return problem === null ? null : { status: 502, testProblem: problem, test };
}

/** What the log says in place of an address. */
const OTHER = "another address";

function readTest({ var: { form, owner } }: OwnerContext): GivenTest {
  const answers = sources.find((source) => source === fieldText(form, "answers")) ?? "none";
  return { to: fieldText(form, "to") || owner.email, answers, person: fieldText(form, "person"), problems: {} };
}

/** The answers that the owner has chosen, and whose they are. */
async function findAnswers(
  db: Db,
  { answers, person }: GivenTest,
): Promise<{ answers: Answers | null; entryId: number | null; problem?: string }> {
  if (answers !== "person") return { answers: answers === "sample" ? sampleAnswers() : null, entryId: null };
  const id = parseId(person);
  const entry = id === undefined ? await findByAddress(db, normaliseEmail(person)) : await findEntry(db, id);
  if (entry !== null) return { answers: entry.answers, entryId: entry.id };
  const problem =
    person === "" ? "Type an address or the number of an entry." : "No one on the list has this address or number.";
  return { answers: null, entryId: null, problem };
}

async function findByAddress(db: Db, email: string | null) {
  if (email === null) return null;
  const [entry] = await db.select().from(waitlistEmails).where(eq(waitlistEmails.email, email));
  return entry ?? null;
}

/** Why an address gets no test, in a sentence; null if it does. Owners always can, as with all email to them. */
async function whyNoTest({ var: { app } }: OwnerContext, to: string): Promise<string | null> {
  if (app.emailContext.ownerEmails.includes(to)) return null;
  const [suppression, entry] = await Promise.all([findSuppression(app, to), findByAddress(app.db, to)]);
  if (suppression !== null)
    return `We send no email there. ${emailReasonText(suppressionReasons[suppression.reason])}.`;
  if (entry !== null && entry.status !== "active") return "This person has unsubscribed, so they get no test either.";
  if (entry !== null && confirmationOf(entry) === "unconfirmed") return "This person has yet to confirm their address.";
  return null;
}

/**
 * Counts this owner's tests to other addresses in the log. The rate limit of the platform keeps many at once from passing
 * before the first is in it.
 */
async function mayTest({ var: { app, owner } }: OwnerContext, action: Logged["action"]): Promise<boolean> {
  if (!(await withinKeyLimit(app.limits, "owner", `${action}:${owner.id}`))) return false;
  return (await countTests(app.db, owner.email, app.now())) < TESTS_PER_HOUR;
}

async function countTests(db: Db, by: string, now: EpochMillis): Promise<number> {
  const { id, actor, action, details, created_at } = ownerLog;
  const newest = db
    .select({ actor, action, details, created_at })
    .from(ownerLog)
    .orderBy(desc(id))
    .limit(READ_ACTIONS)
    .as("newest");
  const [row] = await db
    .select({ tests: sql<number>`count(*)` })
    .from(newest)
    .where(sql`created_at > ${now - HOUR} AND actor = ${by} AND action IN ('test-letter', 'test-step')
      AND details ->> 'to' = ${OTHER}`);
  return row?.tests ?? 0;
}

interface TestFormProps extends Pick<Previewed, "name" | "content"> {
  action: string;
  /** The owner's address. */
  owner: string;
  isReady: boolean;
  failed: Partial<FailedTest> | undefined;
}

export function TestForm({ name, content, action, owner, isReady, failed = {} }: TestFormProps) {
  const { testProblem, test } = failed;
  const greets = greetingKeys(`${content.subject}\n${content.preview_line}\n${content.body}`).length > 0;
  return (
    <Section id="test" title="Try it">
      <form className="form letter-test" method="post" action={action}>
        <p>{`Sends the ${name} once, marked as a test. Look at it on a phone and on a computer. Its links belong to no one.`}</p>
        <Field {...addressField} name="to" label="To" value={test?.to ?? owner} problem={test?.problems.to} />
        {greets ? (
          <>
            <ChoiceField
              name="answers"
              legend="Greetings"
              options={{
                none: "As people without answers read it",
                sample: "With sample answers",
                person: "With the answers of a person on the list",
              }}
              value={test?.answers ?? "none"}
            />
            {/* Shown with the last choice, where the browser knows :has(). */}
            <div className="letter-test-person">
              <Field
                {...addressField}
                pattern={undefined}
                title={undefined}
                name="person"
                label="Whose answers: an address, or the number of an entry"
                value={test?.person}
                problem={test?.problems.person}
              />
            </div>
          </>
        ) : null}
        <Button
          label="Send a test"
          kind="quiet"
          value="test"
          disabled={!isReady}
          describedBy={testProblem === undefined ? undefined : "test-problem"}
        />
        <FieldProblem id="test-problem">{testProblem}</FieldProblem>
      </form>
    </Section>
  );
}
