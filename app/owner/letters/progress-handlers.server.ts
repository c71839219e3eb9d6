import { describeHold, readHold } from "#app/email/holds.server.ts";
import { readLetterNumbers } from "#app/email/letters/letter-numbers.server.ts";
import {
  pauseLetter,
  resolveUnknown,
  resumeLetter,
  stopLetter,
  unscheduleLetter,
} from "#app/email/letters/letter-states.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { streamRecipients } from "#app/owner/letters/export-recipients.server.ts";
import { notFound, requireLetter } from "#app/owner/letters/letter-request.server.ts";
import { letterProgressView } from "#app/owner/letters/progress-view.server.tsx";
import { recordAction } from "#app/owner/log/log.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import { notFoundView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";

/** How far a letter is that was scheduled or started. */
export async function showProgress(c: OwnerContext, letter: Letter) {
  const { db, emailContext, now } = c.var.app;
  const timeZone = emailContext.ownerTimeZone;
  const [numbers, held] = await Promise.all([readLetterNumbers(db, letter, timeZone), readHold(db, now())]);
  const hold = held === null ? null : describeHold(held, now(), timeZone);
  const view = letterProgressView({ letter, numbers, hold, timeZone, done: c.req.query("done") });
  return c.html(renderDocument(view));
}

/** A change of a letter that was scheduled or started, and the message for it. */
interface Change {
  action: OwnerAction;
  done: string;
  /** Whether anything changed; a number of recipients counts from one. */
  apply: (c: OwnerContext, id: number) => Promise<boolean | number>;
}

const changes: Record<string, Change> = {
  unschedule: {
    action: "unschedule-letter",
    done: "unscheduled",
    apply: (c, id) => unscheduleLetter(c.var.app.db, id),
  },
  pause: { action: "pause-letter", done: "paused", apply: (c, id) => pauseLetter(c.var.app.db, id, c.var.app.now()) },
  resume: { action: "resume-letter", done: "resumed", apply: (c, id) => resumeLetter(c.var.app.db, id) },
  stop: { action: "stop-letter", done: "stopped", apply: (c, id) => stopLetter(c.var.app.db, id, c.var.app.now()) },
  "send-again": {
    action: "resolve-letter",
    done: "resolved",
    apply: (c, id) => resolveUnknown(c.var.app.db, id, "send-again", c.var.app.now()),
  },
  "count-as-sent": {
    action: "resolve-letter",
    done: "resolved",
    apply: (c, id) => resolveUnknown(c.var.app.db, id, "count-as-sent", c.var.app.now()),
  },
};

/** Pauses, resumes or stops a letter, or decides about its unknown batches. */
export async function steerLetter(c: OwnerContext, { id }: Letter, form: FormData) {
  const intent = form.get("intent");
  const change = typeof intent === "string" && Object.hasOwn(changes, intent) ? changes[intent] : undefined;
  if (change === undefined) return c.html(renderDocument(notFoundView()), 400);
  const changed = await change.apply(c, id);
  if (changed === false || changed === 0) return c.redirect(`/owner/letters/${id}?done=unchanged`, 303);
  const details = {
    letterId: id,
    ...(typeof changed === "number" ? { people: changed, decision: String(intent) } : {}),
  };
  await recordAction(c.var.app, { by: c.var.owner.email, action: change.action, details });
  return c.redirect(`/owner/letters/${id}?done=${change.done}`, 303);
}

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadRecipients(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  // Recorded at the start, because a download that is broken off has revealed addresses, too.
  const details = { letterId: letter.id };
  await recordAction(c.var.app, { by: c.var.owner.email, action: "export", details });
  return c.body(streamRecipients(c.var.app.db, letter), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="letter-${letter.id}-recipients.csv"`,
  });
}
