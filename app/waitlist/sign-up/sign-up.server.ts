import {
  type AbuseCheckDeps,
  type AbuseCheckInput,
  type BlockedAttempt,
  checkFields,
  checkLimits,
  recordBlocked,
} from "#app/server/abuse/check-abuse.server.ts";
import { hashNetwork } from "#app/server/abuse/network-hash.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { encodeCode, inventCode } from "#app/waitlist/entries/entry-code.server.ts";
import { createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { addEntry, type TrustedSignUp } from "#app/waitlist/sign-up/add-entry.server.ts";
import type { SignUpFields } from "#app/waitlist/sign-up/entry-fields.server.ts";

export type SignUpDeps = AbuseCheckDeps &
  Pick<
    AppContext,
    | "db"
    | "mustConfirm"
    | "disposableDomains"
    | "launchUrl"
    | "entryHooks"
    | "refusesDisposable"
    | "linkSecrets"
    | "now"
  >;

export type SignUpInput = AbuseCheckInput &
  Pick<SignUpFields, "source" | "columns" | "via" | "wording"> & {
    /** The limits of clients and Turnstile do not apply to it. */
    trusted?: TrustedSignUp;
  };

export type SignUpOutcome =
  | Joined
  | { kind: "launched"; url: string }
  | { kind: "already-joined" }
  | { kind: "invalid-source" }
  | { kind: "unknown-wording" }
  | { kind: "disposable-email" }
  | Exclude<BlockedAttempt, { kind: "honeypot" }>;

interface Joined {
  kind: "joined";
  /** The email to send now; null for a pretended sign-up. */
  emailId: string | null;
  /** Undefined if the site asks no questions. Looks the same for every sign-up, including pretended ones. */
  answerToken: string | undefined;
  /** When their entry was added; for a pretended sign-up, now. */
  joinedAt: EpochMillis;
  /** Whether new addresses have to be confirmed: the same for every sign-up. */
  mustConfirm: boolean;
  /** The code of the visitor's personal link; undefined if there are no such links. Looks the same for every sign-up. */
  via: string | undefined;
}

/**
 * Adds a visitor to the waitlist. Entry points call this after checking the request's size, type and origin.
 *
 * @throws when the database fails, or a statement of {@link TrustedSignUp} does. Either nothing was written, or everything was and a retry reports `already-joined`.
 */
export async function signUp(deps: SignUpDeps, input: SignUpInput): Promise<SignUpOutcome> {
  if (deps.launchUrl !== undefined) return { kind: "launched", url: deps.launchUrl };
  const fields = checkFields(deps, "signup", input);
  if (fields.kind === "honeypot") return joined(deps, null, null);
  if (fields.kind !== "valid") return fields;
  const { email } = fields;
  const { source, columns, wording, trusted = null } = input;
  if (source === null) return { kind: "invalid-source" };
  if (wording === undefined) return { kind: "unknown-wording" };
  const disposable = await deps.disposableDomains.has(email);
  if (disposable && deps.refusesDisposable) {
    recordBlocked(deps, "signup", "address");
    return { kind: "disposable-email" };
  }
  const checked =
    trusted === null
      ? await checkLimits(deps, "signup", input, email)
      : { kind: "passed" as const, mailboxHash: await hashMailbox(email, deps.hashKey), verified: null };
  if (checked.kind !== "passed") return checked;
  const { mailboxHash, verified } = checked;
  const { mustConfirm, now } = deps;
  const addressHash = await keyedHash("address:v1", email, deps.hashKey);
  const network = trusted === null ? await hashNetwork(input.clientIp, deps.hashKey) : null;
  const { onSignUp } = deps.entryHooks;
  const added = await addEntry(deps.db, {
    email,
    source,
    columns,
    consentVersion: wording,
    addressHash,
    mailboxHash,
    network,
    verified,
    disposable,
    mustConfirm,
    afterEntry: input.via === null ? null : await onSignUp?.({ email, via: input.via, hashKey: deps.hashKey }),
    trusted,
    now: now(),
  });
  if (added.kind === "listed") return { kind: "already-joined" };
  if (added.kind === "limited") {
    recordBlocked(deps, "signup", "rate-limited");
    return { kind: "rate-limited", retryAfter: added.retryAfter, limit: "mailbox" };
  }
  // Former subscribers get the same response as new ones and confirm by email: the form cannot know who typed it. For the
  // same reason their token changes none of their answers.
  logInfo(added.kind === "new" ? "joined" : "rejoin-asked", {
    entryId: added.kind === "new" ? added.id : null,
    source,
  });
  return joined(deps, added.emailId, added.kind === "new" ? added.id : null);
}

/** @param entryId null for an invented code: the response shows no difference */
async function joined(
  { linkSecrets, hashKey, mustConfirm, now }: SignUpDeps,
  emailId: string | null,
  entryId: number | null,
): Promise<Joined> {
  const joinedAt = now();
  const code = await (entryId === null ? inventCode(hashKey) : encodeCode(entryId, hashKey));
  const answerToken =
    askedQuestions().length === 0 ? undefined : await createAnswerToken(code, joinedAt, linkSecrets[0] ?? "");
  return { kind: "joined", emailId, answerToken, joinedAt, mustConfirm, via: switches.referrals ? code : undefined };
}
