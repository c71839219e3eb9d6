import { checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { forScheme } from "#app/email/letters/for-scheme.server.ts";
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
  const content = toContent(letter);
  const problems = problemsOf(letter);
  const { app } = c.var;
  const isReadable = problems === null || problems.body.length === 0;
  const text = isReadable ? renderLetter(content, await ownLinks(app, letter), app.emailContext).text : null;
  const view = letterPreviewView({ letter, problems, scheme: schemeOf(c), text });
  return c.render(view, { policy: framingCsp });
}

/** The email itself, as the frames show it. */
export async function showEmail(c: OwnerContext, letter: Letter) {
  const content = toContent(letter);
  if ((problemsOf(letter)?.body.length ?? 0) > 0) return c.notFound();
  const { app } = c.var;
  const { html } = renderLetter(content, await ownLinks(app, letter), app.emailContext);
  c.header("Content-Security-Policy", framedEmailCsp);
  return c.html(forScheme(html, schemeOf(c)));
}

/** None for a letter that is no draft: it was checked when it was written. */
function problemsOf(letter: Letter) {
  return letter.state === "draft" ? checkLetter(toContent(letter)) : null;
}

function schemeOf(c: OwnerContext): "light" | "dark" {
  return c.req.query("scheme") === "dark" ? "dark" : "light";
}
