import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { answerGroups, type Question, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";
import { QuestionsForm, useAnswers } from "#app/waitlist/questions/questions-form.tsx";
import { OwnLink } from "#app/waitlist/sign-up/ticket/own-link.tsx";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

interface TicketProps extends TicketData {
  /** The sign-up form that the ticket stands above, if there is one; starts the ids of its parts. */
  id: string;
  /** That form's. */
  source?: string;
  /** The id of what describes it to screen readers. */
  describedBy?: string;
  /** Corrects the address, if there is a suggestion. */
  children?: ReactNode;
}

/** A market ticket for someone who has joined: what is theirs, the site's questions, and their link to send on. */
export function Ticket({ id, source, describedBy, children, ...data }: TicketProps): ReactNode {
  const { answerToken, questions = [], answered, answers, joinedOn, mustConfirm, suggestion, note, via } = data;
  const given = useAnswers(answerToken, answered, answers);
  const ticket = useRef<HTMLElement>(null);
  const holder = holderOf(rolesOf(questions, given.answers));
  useArrival(id, ticket);
  return (
    <section
      ref={ticket}
      className="ticket"
      id={`${id}-ticket`}
      tabIndex={-1}
      aria-labelledby={`${id}-pioneer`}
      aria-describedby={describedBy}
    >
      <div className="ticket-paper">
        <div className="ticket-pass">
          <div className="ticket-head">
            <span className="ticket-stamp" aria-hidden="true">
              <Logo />
              {joinedOn === undefined ? null : <span translate="no">{stampDate(joinedOn)}</span>}
            </span>
            <div>
              <p className="ticket-issuer">
                <SiteName /> waitlist
              </p>
              <h2 id={`${id}-pioneer`}>{`You’re ${site.pioneer.one}`}</h2>
            </div>
            {joinedOn === undefined ? null : (
              <p className="ticket-holder" data-room={`${longestHolder(questions)} ${joinedOn}`}>
                <span>
                  {/* Another element for other words: a translation replaces what is in it. */}
                  <span key={holder}>{holder}</span> <span className="ticket-date">{joinedOn}</span>
                </span>
              </p>
            )}
          </div>
          {answerToken === undefined || questions.length === 0 ? null : (
            <QuestionsForm
              id={`${id}-questions`}
              anchor={`${id}-ticket`}
              source={source}
              questions={questions}
              token={answerToken}
              given={given}
            />
          )}
          {note === undefined ? null : <p>{note}</p>}
          {mustConfirm && note === undefined ? (
            <p>
              <strong>Next: confirm your address.</strong> Open the email we’re sending you and press its button.
            </p>
          ) : null}
          {suggestion === undefined ? null : children}
        </div>
        <div className="ticket-stub">
          <OwnLink via={via} />
          {switches.roadmap ? (
            <p>
              <PageLink className="quiet-link" to="/roadmap">
                Read the roadmap
              </PageLink>
            </p>
          ) : null}
        </div>
      </div>
    </section>
  );
}

/** `27 Nov 2026` for `27 November 2026`. */
function stampDate(joinedOn: string): string {
  return joinedOn.replace(/( \p{L}{3})\p{L}+/u, "$1");
}

/** The room for every answer, so that none moves what is below. */
function longestHolder(questions: readonly Question[]): string {
  const holders = questions.flatMap(({ key, answers = {} }) =>
    Object.keys(answers).map((answer) => holderOf(rolesOf(questions, { [key]: answer }))),
  );
  return holders.reduce((longest, holder) => (holder.length > longest.length ? holder : longest), holderOf(""));
}

/** `Stallholder, Pioneer since` */
function holderOf(roles: string): string {
  const pioneer = `${site.pioneer.one.replace(/^an? /, "")} since`;
  return roles === "" ? pioneer : `${roles}, ${pioneer}`;
}

/** The side of the market that someone is on, or both, in the words of the first question that has sides. */
function rolesOf(questions: readonly Question[], given: Answers): string {
  const question = questions.find(({ key, answers }) => answers !== undefined && Object.hasOwn(answerGroups, key));
  const answer = given[question?.key ?? ""];
  const sides = Object.keys(answerGroups[question?.key ?? ""] ?? {});
  const words = (answer === "both" ? sides : sides.filter((side) => side === answer)).flatMap(
    (side) => question?.answers?.[side] ?? [],
  );
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(" and ");
}

/**
 * Puts the ticket in the place of a form that steps back beneath it: what is below stays where it is on the screen, then
 * the page scrolls to the ticket. Browsers with scroll anchoring do the first part and count no layout shift, see
 * step-back.css; in others this scrolls by as much. The ticket of another address only takes the focus.
 *
 * @param id of the form; without a form of this id nothing happens
 */
function useArrival(id: string, ticket: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => {
    const bottom = import.meta.env.SSR ? undefined : bottomOfPlace(id);
    if (bottom === undefined) return undefined;
    const earlier = document.getElementById(`${id}-ticket`);
    const scrolled = scrollY;
    // The browser chooses its anchor again after a scroll, and has none at the very top.
    if (earlier === null) scrollBy(0, 1);
    return { bottom: bottom - 1, scrolled, earlier };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the ticket appears
  useLayoutEffect(() => {
    // Hydration keeps the ticket of a form that was posted before.
    if (before === undefined || before.earlier === ticket.current) return;
    // The form has no room for the focus any more.
    const { activeElement } = document;
    if (activeElement === document.body || placeOf(id)?.contains(activeElement)) {
      ticket.current?.focus({ preventScroll: true });
    }
    if (before.earlier !== null) return;
    const moved = (bottomOfPlace(id) ?? before.bottom) - before.bottom;
    if (Math.abs(moved) > 1) scrollBy(0, moved);
    requestAnimationFrame(() => {
      scrollTo(0, before.scrolled);
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      ticket.current?.scrollIntoView({ behavior, block: "nearest" });
    });
  }, []);
}

function bottomOfPlace(id: string): number | undefined {
  return placeOf(id)?.getBoundingClientRect().bottom;
}

function placeOf(id: string): Element | null | undefined {
  return document.getElementById(id)?.closest(".sign-up-place");
}
