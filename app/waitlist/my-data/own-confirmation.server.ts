import { milestones, questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, findEntry } from "#app/waitlist/entries/entries.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import type { ConfirmView } from "#app/waitlist/my-data/confirm.tsx";
import { logOwnChange } from "#app/waitlist/my-data/log-change.server.ts";
import { maskEmail } from "#app/waitlist/my-data/mask.ts";
import type { OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { ANSWER_PERIOD, createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { presentAnswers } from "#app/waitlist/questions/questions.server.ts";
import type { SignUpDeps } from "#app/waitlist/sign-up/sign-up.server.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

type ConfirmDeps = Pick<OwnEntryDeps, "db" | "linkSecrets" | "hashKey" | "now"> &
  Pick<SignUpDeps, "mustConfirm" | "launchUrl" | "entryHooks">;

/** Changes nothing. */
export async function readConfirmation(deps: ConfirmDeps, token: string): Promise<ConfirmView> {
  const { db, linkSecrets } = deps;
  const id = await verifyEntryToken("confirm:v1", token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const entry = await findEntry(db, id);
  if (entry === null) return { kind: "gone" };
  const masked = maskEmail(entry.email);
  if (entry.status === "unsubscribed") return { kind: "unsubscribed", masked };
  if (confirmationOf(entry) === "unconfirmed") return { kind: "unconfirmed", masked };
  return { kind: "confirmed", masked, ticket: await ticketOf(entry, deps) };
}

/** Asks the questions for an hour after the confirmation: the link works for longer, and is for nothing else. */
async function ticketOf(entry: Entry, { linkSecrets, hashKey, launchUrl, now }: ConfirmDeps): Promise<TicketData> {
  const code = await encodeCode(entry.id, hashKey);
  const via = switches.referrals && launchUrl === undefined ? code : undefined;
  const confirmedFor = now() - (entry.confirmed_at ?? 0);
  if (questions.length === 0 || confirmedFor > ANSWER_PERIOD) return { via };
  const answerToken = await createAnswerToken(code, now(), linkSecrets[0] ?? "");
  return { via, answerToken, questions, answered: presentAnswers(entry.answers) };
}

/**
 * Confirms the address of a token's entry. Idempotent. It does not put anyone back on the list: to leave after the email
 * was sent counts more than its link.
 *
 * @returns the address if it has just been confirmed, whose welcome email is now queued
 */
export async function confirmByToken(
  { db, linkSecrets, mustConfirm, entryHooks, now }: ConfirmDeps,
  token: string,
): Promise<{ kind: "bad-link" } | { kind: "done"; email: string | null }> {
  const id = await verifyEntryToken("confirm:v1", token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const at = now();
  const after = mustConfirm ? entryHooks.onConfirmed?.(db, { entryId: id, now: at, milestones }) : [];
  const email = await confirmEntry(db, id, at, after);
  logOwnChange(id, "confirm", email !== null);
  return { kind: "done", email };
}
