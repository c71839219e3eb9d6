import { Suspense, useState } from "react";
import { useActionData } from "react-router";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { emailPattern } from "#app/server/email-address.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { DEFAULT_SOURCE } from "#app/waitlist/entries/sources.ts";
import { WORDING_FIELD, type Wording } from "#app/waitlist/sign-up/consent-wording.ts";
import type { FormResult } from "#app/waitlist/sign-up/form-action.server.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";
import { Suggestion, Ticket } from "#app/waitlist/sign-up/ticket/on-demand.ts";
import { useSignUp } from "#app/waitlist/sign-up/use-sign-up.ts";

interface SignUpFormProps {
  /** The form's anchor on the page. Its heading has this id and `-heading`. */
  id: string;
  source?: string;
  wording: Wording;
}

/**
 * For the browser's own check before hydration. The type is not `email`, with which browsers refuse letters such as ø
 * before the @; `text` is what a field is without one.
 */
const browserRules = import.meta.env.SSR ? { type: "text", pattern: emailPattern, title: INVALID_EMAIL } : {};

/** The waitlist form. It posts to its own page, so that the request has the page's campaign parameters. */
export function SignUpForm({ id, source = DEFAULT_SOURCE, wording }: SignUpFormProps) {
  const result = useFormResult(source);
  const { state, ticket, submit, leave, challenge } = useSignUp(source, result);
  const { status, message, suggestion, left } = state;
  // In state, because navigation clears the action data and would empty the field.
  const [typed] = useState(result);
  const emailId = `${id}-email`;
  const messageId = `${id}-message`;
  const loading = status === "loading";

  return (
    <div className="sign-up-place">
      <div className="sign-up-ticket" aria-live="polite">
        {ticket ? (
          <Suspense>
            <Ticket key={ticket.answerToken} {...ticket} id={id} source={source}>
              <Suggestion formId={id} suggestion={ticket.suggestion} />
            </Ticket>
          </Suspense>
        ) : null}
      </div>
      <form
        id={id}
        className="sign-up"
        method="post"
        // Without JavaScript the message gets the focus, and the page scrolls to it and to the form above it.
        action={`#${id}-result`}
        ref={validateOnSubmit}
        data-hydrate={result === undefined ? undefined : "now"}
        onSubmit={submit}
        {...challenge.onIntent}
        toolname={`join_waitlist_${source}`}
        tooldescription="Joins the waitlist and sends one welcome email. Ask them first."
      >
        <label className="sign-up-label" htmlFor={emailId}>
          Your email address
        </label>
        <div className="sign-up-row">
          <input
            id={emailId}
            className="field sign-up-input"
            name="email"
            placeholder="Enter your email"
            defaultValue={typed?.email}
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...browserRules}
            suppressHydrationWarning
            data-hydrate="focus"
            required
            readOnly={loading}
            onBlur={leave}
            aria-invalid={status === "error" || undefined}
            aria-describedby={messageId}
            toolparamdescription="Their address"
          />
          <button className="button" type="submit" aria-disabled={loading || undefined} data-busy-label="Joining...">
            {loading ? <span className="spinner" aria-hidden="true" /> : null}
            {/* Another element for other words, because one that stays would count as moved. */}
            <span key={String(loading)}>{loading ? "Joining..." : "Join Waitlist"}</span>
          </button>
        </div>
        <input type="hidden" name="source" value={source} />
        <input type="hidden" name={WORDING_FIELD} value={wording.version} />
        {/* The honeypot. Not `display: none`, which bots skip. */}
        <div className="visually-hidden" aria-hidden="true">
          <label>
            Leave empty
            <input type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        {challenge.container === null ? null : <div ref={challenge.container} className="sign-up-challenge" />}
        <div className="sign-up-notes">
          <div className="sign-up-words">
            <div id={`${id}-result`} role="status" tabIndex={-1}>
              <p id={messageId} className="sign-up-message" data-status={status}>
                {message}
              </p>
              {suggestion || left ? (
                <Suspense>
                  <Suggestion formId={id} suggestion={suggestion} typed={left} />
                </Suspense>
              ) : null}
            </div>
            <p className="sign-up-promise">{wording.text}</p>
          </div>
          <PageLink to="/privacy">Privacy policy</PageLink>
        </div>
      </form>
    </div>
  );
}

/** Leaves validation to React, which shows the site's own message. Before hydration the browser shows its own. */
function validateOnSubmit(form: HTMLFormElement | null): void {
  if (form !== null) form.noValidate = true;
}

/** The action's result for this form, if it was posted without JavaScript. */
function useFormResult(source: string): FormResult | undefined {
  const result = useActionData<FormResult>();
  return result?.source === source ? result : undefined;
}
