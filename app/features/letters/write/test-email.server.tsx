import { retryNow } from "#app/email/pauses.server.ts";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { ownLinks, type Previewed } from "#app/features/letters/write/preview-page.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Problem } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import { reasonSettings, reasonText } from "#app/server/db/email-reasons.ts";
import { logInfo } from "#app/server/log.ts";

interface Tested extends Pick<Previewed, "content" | "web"> {
  logged: Record<string, number>;
}

/** A test that was not sent, or may not have been, and why. */
export interface FailedTest {
  status: 422 | 502;
  testProblem?: string;
}

/** At once and outside the outbox: the page says what came of it. @returns null if the test was sent */
export async function sendTestEmail(c: OwnerContext, { content, web, logged }: Tested): Promise<FailedTest | null> {
  const { app, owner } = c.var;
  const { mailer, emailContext } = app;
  // The page says what has to be mended.
  if (checkLetter(content) !== null) return { status: 422 };
  if (mailer === null) return { status: 502, testProblem: withSettings("no-sender") };
  const subject = `[Test] ${content.subject}`;
  const rendered = renderLetter({ ...content, subject }, await ownLinks(app, web), emailContext);
  const replyTo = content.reply_to ?? emailContext.replyTo;
  const outcome = await mailer.send({ to: owner.email, replyTo, ...rendered }, crypto.randomUUID());
  logInfo("letter-tested", { ...logged, outcome: outcome.state });
  if (outcome.state === "sent") {
    await retryNow(app.db, app.now());
    return null;
  }
  const what = outcome.state === "unknown" ? "The test may not have arrived." : "The test was not sent.";
  return { status: 502, testProblem: `${what} ${withSettings(outcome.reason)}` };
}

function withSettings(reason: string): string {
  const settings = reasonSettings([reason]);
  return `${reasonText(reason)}.${settings === null ? "" : `\nAdvanced: ${settings}`}`;
}

interface TestFormProps extends Pick<Previewed, "name"> {
  action: string;
  /** The owner's address. */
  owner: string;
  isReady: boolean;
  problem: string | undefined;
}

export function TestForm({ name, action, owner, isReady, problem }: TestFormProps) {
  return (
    <Section id="test" title="Try it">
      <ButtonForm
        action={action}
        text={
          <>
            {`Sends the ${name} to `}
            <strong>{owner}</strong> as people without answers get it. Look at it on a phone and on a computer.
          </>
        }
        value="test"
        label="Send a test to myself"
        disabled={!isReady}
        describedBy={problem === undefined ? undefined : "test-problem"}
      />
      <Problem id="test-problem">{problem}</Problem>
    </Section>
  );
}
