import { type ReactNode, type RefObject, use, useLayoutEffect, useRef, useState } from "react";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";
import { QuestionsForm } from "#app/waitlist/questions/questions-form.tsx";
import { OwnLink } from "#app/waitlist/sign-up/ticket/own-link.tsx";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

interface TicketProps extends TicketData {
  /** The sign-up form that the ticket stands above; starts the ids of its parts. */
  id: string;
  source: string;
  /** Corrects the address, if there is a suggestion. */
  children?: ReactNode;
}

/** A market ticket for someone who has joined: the site's questions, and what they can do next. */
export function Ticket({ id, source, children, ...data }: TicketProps): ReactNode {
  const { answerToken, questions = [], answered, answers, mustConfirm, suggestion, note, via } = data;
  const Share = use(ShareContext);
  const ticket = useRef<HTMLElement>(null);
  useSteadyForm(id, ticket);
  return (
    <section ref={ticket} className="ticket" aria-labelledby={`${id}-ticket`}>
      <div className="ticket-paper">
        <div className="ticket-head">
          <span className="ticket-stamp">
            <Logo />
          </span>
          <div>
            <p className="ticket-issuer">
              <SiteName /> waitlist
            </p>
            <h2 id={`${id}-ticket`}>{`You’re ${site.pioneer.one}`}</h2>
          </div>
        </div>
        {answerToken === undefined || questions.length === 0 ? null : (
          <QuestionsForm
            id={`${id}-questions`}
            source={source}
            questions={questions}
            token={answerToken}
            answered={answered}
            initial={answers}
          />
        )}
        <div className="ticket-stub">
          {note === undefined ? null : <p>{note}</p>}
          {mustConfirm && note === undefined ? (
            <p>
              <strong>Next: confirm your address.</strong> Open the email we’re sending you and press its button.
            </p>
          ) : null}
          {suggestion === undefined ? null : children}
          {via === undefined ? null : <OwnLink via={via} />}
          <div className="ticket-steps">
            {Share ? <Share via={via} /> : null}
            {switches.roadmap ? (
              <PageLink className="button button-quiet" to="/roadmap">
                Read the roadmap
              </PageLink>
            ) : null}
          </div>
        </div>
      </div>
    </section>
  );
}

/**
 * Keeps a form where it is on the screen while its ticket appears above it, then scrolls to the ticket. Browsers with
 * scroll anchoring do the first part and count no layout shift, see ticket.css; in others this scrolls by its height.
 *
 * @param id of the form; without a form of this id nothing happens
 */
function useSteadyForm(id: string, ticket: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => {
    if (import.meta.env.SSR || topOf(id) === undefined || topOf(`${id}-ticket`) !== undefined) return undefined;
    // The browser chooses its anchor again after a scroll, and has none at the very top.
    scrollBy(0, 1);
    return topOf(id);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the ticket appears
  useLayoutEffect(() => {
    if (before === undefined) return;
    const moved = (topOf(id) ?? before) - before;
    if (Math.abs(moved) > 1) scrollBy(0, moved);
    requestAnimationFrame(() => ticket.current && reveal(ticket.current, id));
  }, []);
}

/** Scrolls to ticket and form, if they fit; where there is little room, to the ticket, below the fixed message. */
function reveal(ticket: HTMLElement, id: string): void {
  const message = document.getElementById(`${id}-message`);
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  if (message && getComputedStyle(message).position === "fixed") ticket.scrollIntoView({ behavior });
  else ticket.closest(".sign-up-place")?.scrollIntoView({ behavior, block: "nearest" });
}

function topOf(id: string): number | undefined {
  return document.getElementById(id)?.getBoundingClientRect().top;
}
