import type { AppContext } from "#app/context.ts";
import { findFailedAttempt } from "#app/email/letters/failed-attempt.server.ts";
import {
  pauseLetter,
  resolveUnknown,
  resumeLetter,
  stopLetter,
  unscheduleLetter,
} from "#app/email/letters/letter-states.server.ts";
import { readLetterStats } from "#app/email/letters/letter-stats.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { readPause, retryNow } from "#app/email/pauses.server.ts";
import { recipientLines } from "#app/owner/letters/export-recipients.server.ts";
import { toLetter } from "#app/owner/letters/letter-request.server.ts";
import { letterProgressView } from "#app/owner/letters/progress-view.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";

/** How far a letter is that was scheduled or started. */
export async function showProgress(c: OwnerContext, letter: Letter) {
  const { db, timeZone, now } = c.var.app;
  const at = now();
  const reads = [readLetterStats(db, letter, timeZone), readPause(db, at), findFailedAttempt(db, letter, at)] as const;
  const [stats, pause, failed] = await Promise.all(reads);
  const isRefreshed = c.req.query("refreshed") !== undefined;
  return c.render(letterProgressView({ letter, stats, pause, failed, timeZone, now: at, isRefreshed }));
}

/** A change of a letter that was scheduled or started, and the message for it. */
interface Change {
  action: OwnerAction;
  done: string;
  /** Whether anything changed; a number of recipients counts from one. */
  apply: (app: OwnerApp, id: number) => Promise<boolean | number>;
}

type OwnerApp = OwnerContext["var"]["app"];

const changes: Record<string, Change> = {
  unschedule: { action: "unschedule-letter", done: "unscheduled", apply: ({ db }, id) => unscheduleLetter(db, id) },
  pause: { action: "pause-letter", done: "paused", apply: ({ db, now }, id) => pauseLetter(db, id, now()) },
  resume: { action: "resume-letter", done: "resumed", apply: resume },
  stop: { action: "stop-letter", done: "stopped", apply: ({ db, now }, id) => stopLetter(db, id, now()) },
  "send-again": resolution("send-again"),
  "count-as-sent": resolution("count-as-sent"),
};

function resolution(decision: "send-again" | "count-as-sent"): Change {
  const apply = ({ db, now }: OwnerApp, id: number) => resolveUnknown(db, id, decision, now());
  return { action: "resolve-letter", done: "resolved", apply };
}

/** Pauses, resumes or stops a letter, or decides about its unknown batches. */
export async function steerLetter(c: OwnerContext, { id }: Letter) {
  const intent = c.var.form.get("intent");
  const change = typeof intent === "string" && Object.hasOwn(changes, intent) ? changes[intent] : undefined;
  if (change === undefined) return badRequest(c);
  const changed = await change.apply(c.var.app, id);
  if (changed === false || changed === 0) return toLetter(c, id, "?done=unchanged");
  const decision: Record<string, string | number> =
    typeof changed === "number" ? { people: changed, decision: String(intent) } : {};
  await c.var.record(change.action, { letterId: id, ...decision });
  return toLetter(c, id, `?done=${change.done}`);
}

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadRecipients(c: OwnerContext, letter: Letter) {
  // Recorded at the start, because a download that is broken off has revealed addresses, too.
  await c.var.record("export", { letterId: letter.id });
  const lines = recipientLines(c.var.app.db, letter);
  return downloadCsv(c, `letter-${letter.id}-recipients.csv`, streamText(lines, "letter-recipients-failed"));
}

/** Resumes the letter, and lets the next sweep try the provider again if all email is paused. */
async function resume({ db, now }: AppContext, id: number): Promise<boolean> {
  const isResumed = await resumeLetter(db, id);
  if (isResumed) await retryNow(db, now());
  return isResumed;
}
