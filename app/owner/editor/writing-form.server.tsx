import styles from "#app/owner/editor/editor.css?url";
import editor, { version } from "#app/owner/editor/editor.ts?inline-script";
import signedOut from "#app/owner/editor/signed-out.ts?inline-script";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { scriptCsp, serveScript } from "#app/owner/ui/page-script.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { noScriptCsp } from "#app/server/http/csp.server.ts";

/*
 * What a page on which owners write needs for the script: `<EditorHead />` in its head, {@link editorCsp} as its policy, and
 * the attributes of {@link keptForm} on its form. Of the owner's pages only these have a script: lists of what
 * strangers typed stay without.
 */

const EDITOR_PATH = "/owner/editor.js";

/** The page's own script and requests, the preview's frames, and no markup from scripts. @public for features that can be removed */
export const editorCsp = `${scriptCsp}; connect-src 'self'; frame-src 'self'`;

/** @public for features that can be removed */
export function EditorHead() {
  return (
    <>
      <link rel="stylesheet" href={styles} />
      <script src={`${EDITOR_PATH}?v=${version}`} defer />
    </>
  );
}

/** What makes a form one whose texts the browser keeps until they are saved. */
export interface KeptForm {
  /** Names what is written: the path of its form, which another page of the same form has, too. */
  "data-keep": string;
  /** Tells owners who share a browser apart. */
  "data-owner": string;
  /** Saves by itself. Only for drafts. */
  "data-autosave"?: "";
  /** What the page shows is not stored. */
  "data-unsaved"?: "";
}

/** @public for features that can be removed @param path the form's own, or the page's for something new */
export async function keptForm(
  { var: { owner } }: OwnerContext,
  path: string,
  { autosave = false, unsaved = false } = {},
): Promise<KeptForm> {
  return {
    "data-keep": path,
    "data-owner": (await sha256(`typed:${owner.id}`)).slice(0, 12),
    ...(autosave ? { "data-autosave": "" } : {}),
    ...(unsaved ? { "data-unsaved": "" } : {}),
  };
}

export function serveEditor(c: OwnerContext): Response {
  return serveScript(c, editor, version);
}

/** The script of the page after signing out, with the policy that allows it alone. Inline, since no one is signed in. */
export async function forgettingScript() {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(signedOut)));
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is this site's own
  const script = <script dangerouslySetInnerHTML={{ __html: signedOut }} />;
  return { script, policy: `${noScriptCsp}; script-src 'sha256-${hash.toBase64()}'` };
}
