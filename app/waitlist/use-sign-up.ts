import { type FormEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { track } from "#app/consent/tracking/track.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { useChallenge } from "#app/waitlist/abuse/use-challenge.ts";
import { postSignUp, requestWelcome } from "#app/waitlist/api-client.ts";
import { visitCampaign } from "#app/waitlist/attribution.ts";
import { messages } from "#app/waitlist/messages.ts";

export type SignUpState =
  | { status: "idle" | "loading"; message: "" }
  | { status: "success" | "error"; message: string };

/** How long the success message stays (milliseconds). */
const SUCCESS_SHOWN = 5_000;

const idle: SignUpState = { status: "idle", message: "" };

/**
 * The form's states: idle, loading on a valid submit, then success or error. Success clears the field and goes back
 * to idle by itself; an invalid address is an error without loading.
 *
 * @param source where on the site the form stands
 * @param initial what the server answered to a form sent without JavaScript, if it was
 */
export function useSignUp(source: string, initial: SignUpState = idle) {
  const [state, setState] = useState(initial);
  const challenge = useChallenge();

  // A form that was sent before the application had started counts as well, once whoever counts is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server answers once
  useEffect(() => {
    if (initial.status !== "success") return;
    const timer = setTimeout(() => track({ kind: "joined", source }));
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (state.status !== "success") return;
    const timer = setTimeout(() => setState(idle), SUCCESS_SHOWN);
    return () => clearTimeout(timer);
  }, [state]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.status === "loading") return;
    const form = event.currentTarget;
    const email = normaliseEmail(emailField(form).value);
    if (email === null) {
      // Emptied first: a screen reader does not read out a message that stays the same.
      flushSync(() => setState(idle));
      setState({ status: "error", message: messages["invalid-email"] });
      showError(form);
      return;
    }
    setState({ status: "loading", message: "" });
    await challenge.settled();
    const fields = Object.fromEntries(new FormData(form));
    const reply = await postSignUp(fields, visitCampaign());
    challenge.renew();
    setState({ status: reply.ok ? "success" : "error", message: reply.message });
    if (reply.ok) {
      // Not reset(), which would bring back what the server had put into the field.
      emailField(form).value = "";
      track({ kind: "joined", source });
      void requestWelcome(email);
    } else showError(form);
  }

  return { state, submit, challenge };
}

/** The field gets the focus, and the message below it is brought into view where the screen is low. */
function showError(form: HTMLFormElement): void {
  emailField(form).focus();
  requestAnimationFrame(() => form.querySelector("[role=status]")?.scrollIntoView({ block: "nearest" }));
}

function emailField(form: HTMLFormElement): HTMLInputElement {
  return form.elements.namedItem("email") as HTMLInputElement;
}
