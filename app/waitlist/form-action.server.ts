import { data } from "react-router";
import type { AppContext } from "#app/context.ts";
import type { Role } from "#app/server/db/schema/entries.server.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { answerRole } from "#app/waitlist/answer-role.server.ts";
import { campaignFromSearch } from "#app/waitlist/campaign.ts";
import { parseSignUp, type SignUpFields } from "#app/waitlist/entry-fields.server.ts";
import { failureMessage } from "#app/waitlist/messages.ts";
import { toResponse, toRoleResponse } from "#app/waitlist/responses.ts";
import { roleFailureMessage } from "#app/waitlist/role-messages.ts";
import { ROLE_TOKEN_FIELD } from "#app/waitlist/roles.ts";
import { signUp } from "#app/waitlist/sign-up.server.ts";
import { DEFAULT_SOURCE, formSource } from "#app/waitlist/sources.ts";

/** The result that the submitted form shows. */
export interface FormResult {
  /** Identifies the form on the page. */
  source: string;
  status: "idle" | "success" | "error";
  message: string;
  /** As the visitor typed it, if it is to be corrected. */
  email?: string;
  /** What else was typed, if the address is to be corrected. */
  columns?: SignUpFields["columns"];
  /** After joining: the token of the question what brings the visitor here. */
  roleToken?: string | undefined;
  answer?: RoleAnswer;
  /** A correction of the typed address, where its domain is probably misspelt. */
  suggestion?: string | undefined;
}

/** The response to an answer to that question. */
export interface RoleAnswer {
  /** Whether it was stored. */
  ok: boolean;
  /** What is stored now, as far as the page knows. */
  role: Role | null;
  code?: string | undefined;
  message: string;
}

/**
 * Handles the form's own POST, which works without JavaScript.
 *
 * @param form its fields
 * @param url the page's URL, with the campaign parameters
 * @returns the action's data, and the id of the email that the route sends now, if any
 */
export async function handleSignUpForm(context: AppContext, form: FormData, url: URL) {
  // The button that accepts a suggestion comes after the field.
  const email = text(form.getAll("email").at(-1) ?? null) ?? "";
  const fields = parseSignUp({ ...campaignFromSearch(url.searchParams), ...Object.fromEntries(form) });
  const source = formSource(text(form.get("source")) ?? DEFAULT_SOURCE);
  const typed = { email, columns: fields.columns };
  try {
    const outcome = await signUp(context, { ...fields, clientIp: context.clientIp });
    const { status, message, suggestion, roleToken, headers } = toResponse(outcome, email);
    const isJoined = outcome.kind === "joined";
    const shown = { source, message, suggestion, roleToken };
    const result: FormResult = isJoined ? { ...shown, status: "success" } : { ...shown, ...typed, status: "error" };
    return { response: data(result, { status, headers }), emailId: isJoined ? outcome.emailId : null };
  } catch (error) {
    const reference = newErrorReference();
    logError("sign-up-failed", error, { reference, entryPoint: "form" });
    const result: FormResult = { source, ...typed, status: "error", message: failureMessage(reference) };
    return { response: data(result, { status: 503 }), emailId: null };
  }
}

/** Handles the POST of the question after joining, which works without JavaScript. */
export async function handleRoleForm(context: AppContext, form: FormData) {
  const source = formSource(text(form.get("source")) ?? DEFAULT_SOURCE);
  const roleToken = text(form.get(ROLE_TOKEN_FIELD)) ?? undefined;
  const show = (answer: RoleAnswer, init: ResponseInit) => {
    return data<FormResult>({ source, status: "idle", message: "", roleToken, answer }, init);
  };
  try {
    const outcome = await answerRole(context, { token: roleToken, role: form.get("role"), clientIp: context.clientIp });
    const { status, code, message, headers } = toRoleResponse(outcome);
    const role = outcome.kind === "answered" ? outcome.role : null;
    return show({ ok: role !== null, role, code, message }, { status, headers });
  } catch (error) {
    const reference = newErrorReference();
    logError("role-failed", error, { reference, entryPoint: "form" });
    return show({ ok: false, role: null, message: roleFailureMessage(reference) }, { status: 503 });
  }
}

function text(value: FormDataEntryValue | null): string | null {
  return typeof value === "string" ? value : null;
}
