import { type ReactNode, use, useRef } from "react";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";
import { QuestionsForm } from "#app/waitlist/questions/questions-form.tsx";
import { OwnLink } from "#app/waitlist/sign-up/ticket/own-link.tsx";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";
import { useSteadyForm } from "#app/waitlist/sign-up/ticket/use-steady-form.ts";

export interface TicketProps extends TicketData {
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
