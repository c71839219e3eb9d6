import { type FormEvent, type MouseEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { track } from "#app/consent/tracking/track.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import type { Question } from "#app/site.ts";
import { useChallenge } from "#app/waitlist/abuse/use-challenge.ts";
import { postForReply, requestWelcome } from "#app/waitlist/api-client.ts";
import { visitCampaign } from "#app/waitlist/attribution.ts";
import type { AnswerResult } from "#app/waitlist/form-action.server.ts";
import { INVALID_EMAIL } from "#app/waitlist/messages.ts";

interface SignUpState {
  status: "idle" | "loading" | "success" | "error";
  message: string;
  /** A correction of the typed address, where its domain is probably misspelt. Shows until the next attempt. */
  suggestion?: string | undefined;
  /** After joining: what to know about the address. Shows until the next attempt. */
  note?: string | undefined;
  /** Authorises answers to the site's questions, which show from joining until the next attempt. */
  answerToken?: string | undefined;
  questions?: readonly Question[] | undefined;
  answers?: AnswerResult;
}

/** How long the success message shows (milliseconds). */
const SUCCESS_DURATION = 5_000;

const idle: SignUpState = { status: "idle", message: "" };

/**
 * The form's state: idle, loading on a valid submit, then success or error. Success clears the field and later returns
 * to idle; an invalid address is an error without loading.
 *
 * @param initial the server's result for a form posted without JavaScript, if any
 */
export function useSignUp(source: string, initial: SignUpState = idle) {
  const [state, setState] = useState(initial);
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
    const timer = setTimeout(() => setState({ ...state, ...idle }), SUCCESS_DURATION);
    return () => clearTimeout(timer);
  }, [state]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.status === "loading") return;
    const form = event.currentTarget;
    const email = normaliseEmail(emailField(form).value);
    if (email === null) {
      // Cleared first: screen readers do not announce an unchanged message.
      flushSync(() => setState(idle));
      setState({ status: "error", message: INVALID_EMAIL });
      showError(form);
      return;
    }
    setState({ status: "loading", message: "" });
    await challenge.settled();
    const fields = Object.fromEntries(new FormData(form));
    const { ok, ...shown } = await postForReply("/api/signup", { ...visitCampaign(), ...fields });
    challenge.renew();
    setState({ status: ok ? "success" : "error", ...shown });
    if (ok) {
      // Not reset(), which would restore the server's default value.
      emailField(form).value = "";
      revealMessage(form);
      track({ kind: "joined", source });
      void requestWelcome(email);
    } else showError(form);
  }

  /** Puts the suggestion into the field before its button submits the form. The button itself disappears. */
  function accept({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>) {
    if (form === null) return;
    emailField(form).value = value;
    form.querySelector("button")?.focus();
  }

  return { state, submit, accept, challenge };
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
