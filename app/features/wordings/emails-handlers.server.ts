import type { WordedKind, Wording } from "#app/email/templates/wording.ts";
import { checkWording } from "#app/features/wordings/check-wording.server.ts";
import { emailsView } from "#app/features/wordings/emails-view.server.tsx";
import { wordingView } from "#app/features/wordings/wording-view.server.tsx";
import {
  deleteWording,
  findWording,
  listWordings,
  originalWording,
  previewWording,
  saveWording,
} from "#app/features/wordings/wordings.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { emailKinds } from "#app/owner/ui/labels.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { noScriptCsp } from "#app/server/csp.server.ts";
import { logInfo } from "#app/server/log.ts";
import { fieldText } from "#app/server/read-form.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** The page holds the email's HTML in frames, which inherit its policy: emails have style attributes. */
const previewCsp = noScriptCsp.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** The emails whose words can be changed. */
export async function showEmails(c: OwnerContext) {
  const { db, timeZone, mustConfirm } = c.var.app;
  return c.render(emailsView({ changed: await listWordings(db), mustConfirm, timeZone }));
}

export function showWording(kind: WordedKind): OwnerHandler {
  return (c) => respond(c, kind);
}

/** Shows the words that were typed, saves them, or goes back to the original ones. */
export function changeWording(kind: WordedKind): OwnerHandler {
  return async (c) => {
    const typed = readWords(c.var.form);
    switch (c.var.form.get("intent")) {
      case "preview":
        return respond(c, kind, typed);
      case "save":
        return save(c, kind, typed);
      case "restore":
        return restore(c, kind);
      default:
        return badRequest(c);
    }
  };
}

async function save(c: OwnerContext, kind: WordedKind, typed: Wording) {
  const { db, now } = c.var.app;
  if (Object.keys(checkWording(kind, typed)).length > 0) return respond(c, kind, typed);
  const present = (await findWording(db, kind)) ?? (await originalOf(c, kind));
  const isSame = (["subject", "heading", "body"] as const).every((name) => present[name] === typed[name]);
  if (isSame) return c.redirect(`/owner/emails/${kind}?done=unchanged`, 303);
  await saveWording(db, kind, typed, now());
  await c.var.record("edit-email", { email: emailKinds[kind] });
  logInfo("email-words-changed", { kind });
  return c.redirect(`/owner/emails/${kind}?done=worded`, 303);
}

async function restore(c: OwnerContext, kind: WordedKind) {
  const isRestored = await deleteWording(c.var.app.db, kind);
  if (isRestored) await c.var.record("restore-email", { email: emailKinds[kind] });
  return c.redirect(`/owner/emails/${kind}?done=${isRestored ? "restored" : "unchanged"}`, 303);
}

/** @param typed words that are not saved */
async function respond(c: OwnerContext, kind: WordedKind, typed: Wording | null = null) {
  const { db, emailContext, timeZone, mustConfirm } = c.var.app;
  const stored = await findWording(db, kind);
  const wording = typed ?? stored ?? (await originalOf(c, kind));
  const problems = typed === null ? {} : checkWording(kind, typed);
  const isRefused = Object.keys(problems).length > 0;
  if (isRefused) c.status(422);
  const preview = isRefused ? null : previewWording(kind, wording, emailContext);
  const changedAt = stored?.updated_at ?? null;
  const view = wordingView({
    kind,
    wording,
    problems,
    preview,
    isTyped: typed !== null,
    changedAt,
    mustConfirm,
    timeZone,
  });
  return c.render(view, { policy: previewCsp });
}

/** As people who join now are sent it. */
async function originalOf(c: OwnerContext, kind: WordedKind): Promise<Wording> {
  const { launchUrl, now } = c.var.app;
  const promise = wordingFor(await readHasFollowUps(c.var.app)).text;
  return originalWording(kind, { launchUrl, promise, now: now() });
}

/** What was typed. Forms send each line break as two characters. */
function readWords(form: FormData): Wording {
  const body = form.get("body");
  return {
    subject: fieldText(form, "subject"),
    heading: fieldText(form, "heading"),
    body: typeof body === "string" ? body.replace(/\r\n?/g, "\n").trim() : "",
  };
}
