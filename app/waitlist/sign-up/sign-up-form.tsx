import { type FocusEvent, type FormEvent, Suspense, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useActionData } from "react-router";
import { track } from "#app/consent/tracking/track.ts";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { emailPattern, normaliseEmail } from "#app/server/email-address.ts";
import type { Millis } from "#app/server/time/units.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/entries/sources.ts";
import { postForReply, requestWelcome } from "#app/waitlist/sign-up/api-client.ts";
import { type ConsentWording, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";
import type { FormResult } from "#app/waitlist/sign-up/form-action.server.ts";
import { setLastReply } from "#app/waitlist/sign-up/last-reply.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";
import { openForm, storeTicket, ticketOf, useHasJoined } from "#app/waitlist/sign-up/step-back.ts";
import { LazySuggestion, LazyTicket } from "#app/waitlist/sign-up/ticket/on-demand.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";
import { useChallenge } from "#app/waitlist/sign-up/use-challenge.ts";

/**
 * For the browser's own check before hydration. The type is not `email`, with which browsers refuse letters such as ø
 * before the @; `text` is what a field is without one.
 */
const browserRules = import.meta.env.SSR ? { type: "text", pattern: emailPattern, title: INVALID_EMAIL } : {};

/**
 * The waitlist form. It posts to its own page, so that the request has the page's campaign parameters. `id`: the form's
 * anchor on the page. Its heading has this id and `-heading`.
 */
export function SignUpForm(props: { id: string; source?: string; wording: ConsentWording }) {
  const { id, source = DEFAULT_SOURCE, wording } = props;
  const posted = useActionData<FormResult>();
  // The action's result for this form, if it was posted without JavaScript.
  const result = posted?.source === source ? posted : undefined;
  const { state, ticket, submit, leave, challenge } = useSignUp(source, result);
  const hasJoined = useHasJoined() || posted?.ticket;
  const { status, message, suggestion, left } = state;
  // In state, because navigation clears the action data and would empty the field.
  const [typed] = useState(result);
  const emailId = `${id}-email`;
  const messageId = `${id}-message`;
  const loading = status === "loading";

  return (
    <div className="sign-up-place">
      <div className="sign-up-ticket">
        {ticket ? (
          <Suspense fallback={<span hidden />}>
            <LazyTicket key={ticket.answerToken} {...ticket} id={id} source={source} describedBy={messageId}>
              <LazySuggestion formId={id} suggestion={ticket.suggestion} />
            </LazyTicket>
          </Suspense>
        ) : null}
      </div>
      {hasJoined ? (
        <details className="sign-up-again">
          <summary>Add another address</summary>
        </details>
      ) : null}
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
                  <LazySuggestion formId={id} suggestion={suggestion} typed={left} />
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

interface SignUpState {
  status: "idle" | "loading" | "success" | "error";
  message: string;
  /** Shows until the next attempt. */
  suggestion?: string | undefined;
  /** What was in the field when the visitor left it, for such a correction. */
  left?: string;
}

/** How long the success message shows. */
const SUCCESS_DURATION: Millis = 5_000;

/** Time for a click that leaves the field to end, because a suggestion may move what was clicked. */
const CLICK_DURATION: Millis = 300;

const idle: SignUpState = { status: "idle", message: "" };

/**
 * The form's state: idle, loading on a valid submit, then success or error. Success clears the field and later returns
 * to idle; an invalid address is an error without loading. The ticket of a success stays.
 *
 * @param initial the server's result for a form posted without JavaScript, if any
 */
function useSignUp(source: string, initial: SignUpState & { ticket?: TicketData } = idle) {
  const [state, setState] = useState<SignUpState>(initial);
  const [ticket, setTicket] = useState(initial.ticket ?? ticketOf(source));
  const challenge = useChallenge();

  // Tracks a form posted before hydration too, once tracking has loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the server's result
  useEffect(() => {
    if (initial.status !== "success") return;
    const timer = setTimeout(() => track({ kind: "joined", source }));
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (state.status !== "success") return;
    const timer = setTimeout(() => setState(idle), SUCCESS_DURATION);
    return () => clearTimeout(timer);
  }, [state]);

  useEffect(() => {
    if (ticket) storeTicket(source, ticket);
  }, [source, ticket]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = emailField(form).value;
    // A second press may come when the response to the first has emptied the field.
    if (state.status === "loading" || (state.status === "success" && typed === "")) return;
    const email = normaliseEmail(typed);
    if (email === null) {
      // Cleared first: screen readers do not announce an unchanged message.
      flushSync(() => setState(idle));
      setState({ status: "error", message: INVALID_EMAIL });
      showError(form);
      return;
    }
    setState({ status: "loading", message: "" });
    setLastReply("");
    await challenge.settled();
    const fields = Object.fromEntries(new FormData(form));
    const reply = await postForReply("/api/signup", { ...visitCampaign(), ...fields });
    const { ok, message, suggestion } = reply;
    challenge.renew();
    setLastReply(message);
    setState(ok ? { status: "success", message } : { status: "error", message, suggestion });
    if (ok) {
      setTicket(reply);
      openForm(form, false);
      // Not reset(), which would restore the server's default value.
      emailField(form).value = "";
      revealMessage(form);
      track({ kind: "joined", source });
      void requestWelcome(email);
    } else showError(form);
  }

  function leave({ currentTarget: field }: FocusEvent<HTMLInputElement>) {
    const suggest = (now: SignUpState) => (/idle|error/.test(now.status) ? { ...now, left: field.value } : now);
    setTimeout(() => setState(suggest), CLICK_DURATION);
  }

  return { state, ticket, submit, leave, challenge };
}

function showError(form: HTMLFormElement): void {
  openForm(form, true);
  emailField(form).focus();
  revealMessage(form);
}

/** Scrolls the message into view where the screen is short or the cookie banner covers it. */
function revealMessage(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector(".sign-up-message")?.scrollIntoView({ block: "nearest" }));
}

function emailField(form: HTMLFormElement): HTMLInputElement {
  return form.querySelector("input") as HTMLInputElement;
}

/**
 * The campaign on arrival, read when the script starts because client-side navigation drops the query string. In memory
 * only: storing it on the device would need consent.
 */
const arrival: Campaign = typeof document === "undefined" ? {} : readArrival();

/** The campaign of this visit. Parameters of the current URL override those of the first page. */
function visitCampaign(): Campaign {
  return { ...arrival, ...campaignFromSearch(new URLSearchParams(location.search)) };
}

function readArrival(): Campaign {
  const host = referrerHost(document.referrer, location.host);
  return {
    ...campaignFromSearch(new URLSearchParams(location.search)),
    ...(host === undefined ? {} : { referrer_host: host }),
  };
}
