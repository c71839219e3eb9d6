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
import { DEFAULT_SOURCE, formSource } from "#app/waitlist/sources.ts";

/** The result that the submitted form shows. */
export interface FormResult {
  /** Identifies the form on the page. */
  source: string;
  status: "success" | "error";
  message: string;
  /** As the visitor typed it. */
  email: string;
  /** A correction of the typed address, where its domain is probably misspelt. */
  suggestion?: string | undefined;
}

/**
 * Handles the form's own POST, which works without JavaScript.
 *
 * @param url the page's URL, with the campaign parameters
 * @returns the action's data, and the address that joined, to which the route sends the welcome email
 */
export async function handleSignUpForm(context: AppContext, request: Request, url: URL) {
  const form = await readForm(request);
  // The button that accepts a suggestion comes after the field.
  const email = text(form.getAll("email").at(-1) ?? null) ?? "";
  const typed = { source: formSource(text(form.get("source")) ?? DEFAULT_SOURCE), email };
  try {
    const fields = parseSignUp({ ...campaignFromSearch(url.searchParams), ...Object.fromEntries(form) });
    const outcome = await signUp(context, { ...fields, client: context.client });
    const { status, message, suggestion, headers } = toResponse(outcome, email);
    const joined = outcome.kind === "joined" ? outcome.email : null;
    const result: FormResult = { ...typed, status: joined === null ? "error" : "success", message, suggestion };
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
