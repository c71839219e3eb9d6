import { forScheme } from "#app/email/blocks/for-scheme.server.ts";
import { checkLetter, type LetterProblems, toContent } from "#app/email/letters/check-letter.server.ts";
import { sampleAnswers } from "#app/email/letters/greeting-problems.server.ts";
import { LetterProblemError } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { renderLetter } from "#app/email/letters/render-letter.server.ts";
import { letterPreviewView } from "#app/owner/letters/preview-view.server.tsx";
import { ownLinks } from "#app/owner/letters/send-test.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { noScriptCsp } from "#app/server/csp.server.ts";

/** For the page that shows an email in frames. */
const framingCsp = `${noScriptCsp}; frame-src 'self'`;

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

/** The page with the letter in frames. */
export async function showPreview(c: OwnerContext, letter: Letter) {
  const problems = problemsOf(letter);
  const rendered = isReadable(problems) ? await render(c, letter) : null;
  const view = letterPreviewView({
    letter,
    problems,
    scheme: schemeOf(c),
    isFilled: isFilled(c),
    ...(rendered instanceof LetterProblemError
      ? { rendered: null, fault: rendered.message }
      : { rendered, fault: null }),
    replyTo: letter.reply_to ?? c.var.app.emailContext.replyTo,
  });
  return c.render(view, { policy: framingCsp });
}

/** The email itself, as the frames show it. */
export async function showEmail(c: OwnerContext, letter: Letter) {
  const rendered = isReadable(problemsOf(letter)) ? await render(c, letter) : null;
  if (rendered === null || rendered instanceof LetterProblemError) return c.notFound();
  c.header("Content-Security-Policy", framedEmailCsp);
  return c.html(forScheme(rendered.html, schemeOf(c)));
}

/** The letter with sample answers or none; what is wrong with one that cannot be rendered any more. */
async function render(c: OwnerContext, letter: Letter) {
  const { app } = c.var;
  const answers = isFilled(c) ? sampleAnswers() : null;
  try {
    return renderLetter(toContent(letter), await ownLinks(app, letter), app.emailContext, answers);
  } catch (error) {
    if (error instanceof LetterProblemError) return error;
    throw error;
  }
}

/** Whether a letter's body can be shown. A missing subject is no obstacle. */
function isReadable(problems: LetterProblems | null): boolean {
  return problems === null || problems.body.length === 0;
}

/** None for a letter that is no draft: it was checked when it was written. */
function problemsOf(letter: Letter) {
  return letter.state === "draft" ? checkLetter(toContent(letter)) : null;
}

/** Whether greetings show an answer, or what people without one read. */
function isFilled(c: OwnerContext): boolean {
  return c.req.query("greeting") !== "fallback";
}

function schemeOf(c: OwnerContext): "light" | "dark" {
  return c.req.query("scheme") === "dark" ? "dark" : "light";
}
