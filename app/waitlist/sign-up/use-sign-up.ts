import { type FocusEvent, type FormEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { track } from "#app/consent/tracking/track.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import type { Millis } from "#app/server/time/units.ts";
import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { postForReply, requestWelcome } from "#app/waitlist/sign-up/api-client.ts";
import { setLastReply } from "#app/waitlist/sign-up/last-reply.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";
import { useChallenge } from "#app/waitlist/sign-up/use-challenge.ts";

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

/** The tickets of this visit by source, for when the visitor comes back to the page. Only browsers fill it. */
const tickets = new Map<string, TicketData | undefined>();

/**
 * The form's state: idle, loading on a valid submit, then success or error. Success clears the field and later returns
 * to idle; an invalid address is an error without loading. The ticket of a success stays.
 *
 * @param initial the server's result for a form posted without JavaScript, if any
 */
export function useSignUp(source: string, initial: SignUpState & { ticket?: TicketData } = idle) {
  const [state, setState] = useState<SignUpState>(initial);
  const [ticket, setTicket] = useState(initial.ticket ?? tickets.get(source));
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
    tickets.set(source, ticket);
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
