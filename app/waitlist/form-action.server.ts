import { data } from "react-router";
import type { AppContext } from "#app/context.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { campaignFromSearch } from "#app/waitlist/campaign.ts";
import { parseSignUp } from "#app/waitlist/entry-fields.server.ts";
import { failureMessage } from "#app/waitlist/messages.ts";
import { toResponse } from "#app/waitlist/responses.ts";
import { signUp } from "#app/waitlist/sign-up.server.ts";
import { DEFAULT_SOURCE, formOf } from "#app/waitlist/sources.ts";

/** What the page shows in the form that was sent. */
export interface FormResult {
  /** Which of the page's forms shows it. */
  source: string;
  status: "success" | "error";
  message: string;
  /** As the visitor typed it. */
  email: string;
}

/**
 * Handles the form's own POST, which works without JavaScript.
 *
 * @param url the page's, whose query string holds the campaign parameters
 * @returns the action's data, and the address that joined, whose welcome email the route sends
 */
export async function handleSignUpForm(context: AppContext, request: Request, url: URL) {
  const form = await readForm(request);
  const typed = { source: formOf(text(form.get("source")) ?? DEFAULT_SOURCE), email: text(form.get("email")) ?? "" };
  try {
    const fields = parseSignUp({ ...campaignFromSearch(url.searchParams), ...Object.fromEntries(form) });
    const outcome = await signUp(context, { ...fields, client: context.client });
    const { status, message, headers } = toResponse(outcome);
    const joined = outcome.kind === "joined" ? outcome.email : null;
    const result: FormResult = { ...typed, status: joined === null ? "error" : "success", message };
    return { response: data(result, { status, headers }), joined };
  } catch (error) {
    const reference = newErrorReference();
    logError("sign-up-failed", error, { reference, entryPoint: "form" });
    const result: FormResult = { ...typed, status: "error", message: failureMessage(reference) };
    return { response: data(result, { status: 503 }), joined: null };
  }
}

function text(value: FormDataEntryValue | null): string | null {
  return typeof value === "string" ? value : null;
}
