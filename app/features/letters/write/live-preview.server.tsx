import type { ReactNode } from "react";
import { forScheme } from "#app/email/blocks/email-styles.server.ts";
import { MAX_FORM_BYTES, readContent } from "#app/features/letters/write/letter-content.server.ts";
import { framedEmailCsp, ProblemList, readPreview } from "#app/features/letters/write/preview-page.server.tsx";
import styles from "#app/owner/ui/owner.css?url";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message } from "#app/owner/ui/page.server.tsx";
import { renderDocument } from "#app/owner/ui/renderer.server.tsx";
import { noScriptCsp } from "#app/server/http/csp.server.ts";

/** The email beside its text. Its button shows what is in the form; with the script it follows what is typed. */
export function LivePreview({ name }: { name: "letter" | "follow-up" }) {
  return (
    <details className="letter-live data" data-preview="">
      <summary>{`How the ${name} looks`}</summary>
      <div className="choices">
        <Choice name="preview-width" label="Width" options={{ desktop: "Computer", phone: "Phone" }} />
        <Choice name="preview-scheme" label="Colours" options={{ light: "Light", dark: "Dark" }} />
      </div>
      <p>
        <button
          className="button button-quiet"
          type="submit"
          formAction="/owner/letters/email"
          formTarget="typed-email"
          formNoValidate
        >
          Update the preview
        </button>
      </p>
      {/* No scripts run in it. Its origin lets the page keep how far one has scrolled. */}
      <div className="preview-frames">
        <iframe name="typed-email" title={`The ${name} as it is typed`} sandbox="allow-same-origin" />
      </div>
    </details>
  );
}

function Choice({ name, label, options }: { name: string; label: string; options: Record<string, string> }) {
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {Object.entries(options).map(([value, text], index) => (
        <label key={value}>
          <input type="radio" name={name} value={value} defaultChecked={index === 0} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** For the frame of {@link LivePreview}: what was typed, as an email, or what has to be mended. Stores nothing. */
export async function showTypedEmail(c: OwnerContext) {
  const { form } = c.var;
  const content = readContent(form);
  const preview = await readPreview(c, { name: "letter", path: "/owner/letters", content, isDraft: true, web: null });
  const { rendered, problems, fault } = preview;
  if (rendered === null) {
    return respondWithReason(c, problems === null ? fault : <ProblemList problems={problems} />);
  }
  c.header("Content-Security-Policy", `${framedEmailCsp(c.var.app.emailContext.siteUrl)} allow-same-origin`);
  return c.html(forScheme(rendered.html, form.get("preview-scheme") === "dark" ? "dark" : "light"));
}

export function refuseLargePreview(c: OwnerContext) {
  return respondWithReason(c, `The text is larger than ${MAX_FORM_BYTES / 1_024} KB. Shorten it.`);
}

/** In place of the email. */
function respondWithReason(c: OwnerContext, reason: ReactNode) {
  c.header("Content-Security-Policy", noScriptCsp.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  return c.html(
    renderDocument(
      <html lang="en-GB">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>No preview yet</title>
          <link rel="stylesheet" href={styles} />
        </head>
        <body>
          <main className="page owner">
            <h1>No preview yet</h1>
            <Message kind="error">{reason}</Message>
          </main>
        </body>
      </html>,
    ),
  );
}
