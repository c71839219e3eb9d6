import { forScheme } from "#app/email/blocks/for-scheme.server.ts";
import {
  checkLetter,
  type LetterProblems,
  type LetterWords,
  toContent,
} from "#app/email/letters/check-letter.server.ts";
import { sampleAnswers } from "#app/email/letters/greeting-problems.server.ts";
import { LetterProblemError } from "#app/email/letters/letter-problems.server.ts";
import { renderLetter } from "#app/email/letters/render-letter.server.ts";
import type { EmailPreviewProps, Subject } from "#app/owner/letters/email-preview.server.tsx";
import { ownLinks } from "#app/owner/letters/send-test.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { noScriptCsp } from "#app/server/csp.server.ts";

/** For the page that shows an email in frames. */
export const framingCsp = `${noScriptCsp}; frame-src 'self'`;

/** For an email in such a frame: its own styles and images of any site, and nothing that runs. */
const framedEmailCsp = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "sandbox",
].join("; ");

/** A letter or a follow-up to preview. */
export interface Previewed extends Subject {
  words: LetterWords;
  /** Whether it can still be changed. Others were checked when they were written. */
  isDraft: boolean;
  /** The page where anyone can read it; null if there is none. */
  web: string | null;
}

/** What its page shows. */
export async function readPreview(c: OwnerContext, previewed: Previewed): Promise<EmailPreviewProps> {
  const { name, path, words } = previewed;
  const problems = problemsOf(previewed);
  const rendered = isReadable(problems) ? await render(c, previewed) : null;
  const isFaulty = rendered instanceof LetterProblemError;
  return {
    ...{ name, path, words, problems },
    scheme: schemeOf(c),
    isFilled: isFilled(c),
    rendered: isFaulty ? null : rendered,
    fault: isFaulty ? rendered.message : null,
    replyTo: words.reply_to ?? c.var.app.emailContext.replyTo,
  };
}

/** The email itself, as the frames show it. */
export async function respondWithEmail(c: OwnerContext, previewed: Previewed) {
  const rendered = isReadable(problemsOf(previewed)) ? await render(c, previewed) : null;
  if (rendered === null || rendered instanceof LetterProblemError) return c.notFound();
  c.header("Content-Security-Policy", framedEmailCsp);
  return c.html(forScheme(rendered.html, schemeOf(c)));
}

/** The email with sample answers or none; what is wrong with one that cannot be rendered any more. */
async function render(c: OwnerContext, { words, web }: Previewed) {
  const { app } = c.var;
  const answers = isFilled(c) ? sampleAnswers() : null;
  try {
    return renderLetter(toContent(words), await ownLinks(app, web), app.emailContext, answers);
  } catch (error) {
    if (error instanceof LetterProblemError) return error;
    throw error;
  }
}

/** Whether the body can be shown. A missing subject is no obstacle. */
function isReadable(problems: LetterProblems | null): boolean {
  return problems === null || problems.body.length === 0;
}

function problemsOf({ words, isDraft }: Previewed) {
  return isDraft ? checkLetter(toContent(words)) : null;
}

/** Whether greetings show an answer, or what people without one read. */
function isFilled(c: OwnerContext): boolean {
  return c.req.query("greeting") !== "fallback";
}

function schemeOf(c: OwnerContext): "light" | "dark" {
  return c.req.query("scheme") === "dark" ? "dark" : "light";
}
