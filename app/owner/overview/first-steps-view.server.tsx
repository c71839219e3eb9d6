import type { ReactNode } from "react";
import type { FirstSteps } from "#app/owner/overview/first-steps.server.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { site } from "#app/site.ts";

interface FirstStepsProps {
  steps: FirstSteps;
  /** Whether `MAIL_FROM` is set. */
  canSend: boolean;
  /** Why all email waits, in words. */
  pause: string | null;
}

/** The overview before the first sign-up. */
export function firstDayView(props: FirstStepsProps): OwnerView {
  return {
    title: "Overview",
    section: "overview",
    body: (
      <main id="main" className="page owner">
        <h1>No one has joined yet</h1>
        <p className="lead">Follow these three steps to get started. Each is ticked off automatically.</p>
        <FirstStepsList {...props} />
      </main>
    ),
  };
}

/** What to do first. Each step is ticked off by what is in the database. */
export function FirstStepsList({ steps, canSend, pause }: FirstStepsProps) {
  return (
    <section aria-label="First steps">
      <ol className="first-steps">
        <Step done={steps.email} title="Check that email works" result="This site has sent an email.">
          <p>{emailAdvice(canSend, pause)}</p>
        </Step>
        <Step done={steps.signUp} title="Get the first sign-up" result={`Someone has joined ${site.name}.`}>
          <p>Join with your own address to see what visitors see.</p>
          <a className="button" href="/">
            Open the site
          </a>
        </Step>
        <Step done={steps.link} title="Make a link" result="You have made a link.">
          <p>Make a link for a fair or a post to see how many people it brings.</p>
          <a className="button" href="/owner/links">
            Make a link
          </a>
        </Step>
      </ol>
    </section>
  );
}

function emailAdvice(canSend: boolean, pause: string | null): string {
  if (!canSend)
    return "Set MAIL_FROM to an address at your own domain, and deploy again. Until then every email waits.";
  if (pause !== null) return `${pause}.`;
  return "No email has been sent yet. To try it, sign out and ask for a sign-in link.";
}

interface StepProps {
  done: boolean;
  title: string;
  /** What the step says once it is done. */
  result: string;
  /** What to do. */
  children: ReactNode;
}

function Step({ done, title, result, children }: StepProps) {
  return (
    <li className={done ? "first-step first-step-done" : "first-step"}>
      <h2>
        {done ? <span className="visually-hidden">Done: </span> : null}
        {title}
      </h2>
      {done ? <p>{result}</p> : children}
    </li>
  );
}
