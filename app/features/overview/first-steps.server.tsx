import { eq, isNotNull } from "drizzle-orm";
import type { ReactNode } from "react";
import { Attention } from "#app/features/overview/attention.server.tsx";
import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { Lines, Page } from "#app/owner/ui/page.server.tsx";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { erasedTotals, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";
import { site } from "#app/site.ts";

interface FirstSteps {
  /** An email of any kind was sent. */
  email: boolean;
  /** Someone has joined, even if their entry was erased since. */
  signUp: boolean;
  /** An owner has made a tagged link. */
  link: boolean;
}

/** Reads one row for each step. */
export async function readFirstSteps(db: Db): Promise<FirstSteps> {
  const { done_at } = emailOutbox;
  const [emails, entries, erased, links] = await db.batch([
    db.select({ done_at }).from(emailOutbox).where(isNotNull(done_at)).limit(1),
    db.select({ id: waitlistEmails.id }).from(waitlistEmails).limit(1),
    db.select({ day: erasedTotals.day }).from(erasedTotals).limit(1),
    db.select({ id: ownerLog.id }).from(ownerLog).where(eq(ownerLog.action, "make-link")).limit(1),
  ]);
  return { email: emails.length > 0, signUp: entries.length + erased.length > 0, link: links.length > 0 };
}

/** An owner with this many sign-ups no longer needs the first steps. */
const MANY_SIGN_UPS = 25;

export function showsFirstSteps({ email, signUp, link }: FirstSteps, joined: number): boolean {
  return !(email && signUp && link) && joined < MANY_SIGN_UPS;
}

interface FirstStepsProps {
  steps: FirstSteps;
  /** Whether `MAIL_FROM` is set. */
  canSend: boolean;
  pause: string | null;
}

/** The overview before the first sign-up. */
export function firstDayView({ attention, ...props }: FirstStepsProps & { attention: AttentionItem[] }) {
  return (
    <Page title="Overview" section="overview" heading="No one has joined yet">
      <p className="lead">Follow these three steps to get started. Each is ticked off automatically.</p>
      <Attention items={attention} />
      <FirstStepsList {...props} />
      <p>
        <a className="quiet-link" href="/owner/emails">
          Change the words of the welcome and confirmation emails
        </a>
      </p>
    </Page>
  );
}

export function FirstStepsList({ steps, canSend, pause }: FirstStepsProps) {
  return (
    <section aria-label="First steps">
      <ol className="bare-list group first-steps">
        <Step done={steps.email} title="Check that email works" result="This site has sent an email.">
          <Lines text={emailAdvice(canSend, pause)} />
        </Step>
        <Step done={steps.signUp} title="Get the first sign-up" result={`Someone has joined ${site.name}.`}>
          <p>Join with your own address to see what visitors see.</p>
          <ButtonLink label="Open the site" href="/" />
        </Step>
        <Step done={steps.link} title="Make a link" result="You have made a link.">
          <p>Make a link for a fair or a post to see how many people it brings.</p>
          <ButtonLink label="Make a link" href="/owner/links" />
        </Step>
      </ol>
    </section>
  );
}

function emailAdvice(canSend: boolean, pause: string | null): string {
  if (!canSend) {
    return "This site has no sender yet, so every email waits.\nAdvanced: set MAIL_FROM to an address at your own domain, and deploy again.";
  }
  if (pause !== null) return `${pause}.`;
  return "No email has been sent yet. To try it, sign out and ask for a sign-in link.";
}

interface StepProps {
  done: boolean;
  title: string;
  result: string;
  children: ReactNode;
}

function Step({ done, title, result, children }: StepProps) {
  return (
    <li className={done ? "panel success first-step first-step-done" : "panel first-step"}>
      <h2>
        {done ? <span className="visually-hidden">Done: </span> : null}
        {title}
      </h2>
      {done ? <p>{result}</p> : children}
    </li>
  );
}
