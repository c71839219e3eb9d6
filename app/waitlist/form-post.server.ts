import { data } from "react-router";
import type { AppContext } from "#app/context.ts";
import { sendWelcome } from "#app/email/deliver.server.ts";
import { CHALLENGE_FIELD } from "#app/gate/challenge-field.ts";
import { logError } from "#app/log.ts";
import { readForm } from "#app/read-form.server.ts";
import { newReference } from "#app/reference.ts";
import { answerTo } from "#app/waitlist/answers.ts";
import { campaignFromSearch } from "#app/waitlist/campaign.ts";
import { HONEYPOT_FIELD } from "#app/waitlist/honeypot.ts";
import { failureMessage } from "#app/waitlist/messages.ts";
import { type SignUpInput, signUp } from "#app/waitlist/sign-up.server.ts";
import { DEFAULT_SOURCE, formOf } from "#app/waitlist/sources.ts";

/** What the page shows in the form that was sent. */
export interface FormAnswer {
  /** Which of the page's forms shows it. */
  source: string;
  status: "success" | "error";
  message: string;
  /** As the visitor typed it. */
  email: string;
}

/**
 * The form's own POST, which works without JavaScript: signs up, and sends the welcome mail behind the response.
 *
 * @param url the page's, whose query string holds the campaign parameters
 */
export async function answerFormPost(context: AppContext, request: Request, url: URL) {
  const form = await readForm(request);
  const typed = { source: formOf(text(form.get("source")) ?? DEFAULT_SOURCE), email: text(form.get("email")) ?? "" };
  try {
    const { status, code, message, headers } = await joinFromForm(context, form, url);
    const shown: FormAnswer = { ...typed, status: code === "joined" ? "success" : "error", message };
    return data(shown, { status, headers });
  } catch (error) {
    const reference = newReference();
    logError("sign-up-failed", error, { reference, door: "form" });
    const shown: FormAnswer = { ...typed, status: "error", message: failureMessage(reference) };
    return data(shown, { status: 503 });
  }
}

async function joinFromForm(context: AppContext, form: FormData, url: URL) {
  const input: SignUpInput = {
    email: form.get("email"),
    source: form.get("source"),
    campaign: campaignFromSearch(url.searchParams),
    honeypot: form.get(HONEYPOT_FIELD),
    challenge: form.get(CHALLENGE_FIELD),
    client: context.client,
  };
  const outcome = await signUp(context, input);
  if (outcome.kind === "joined") {
    const sending = sendWelcome(context, outcome.email).catch((error) => logError("welcome-failed", error));
    context.waitUntil(sending);
  }
  return answerTo(outcome);
}

function text(value: FormDataEntryValue | null): string | null {
  return typeof value === "string" ? value : null;
}
