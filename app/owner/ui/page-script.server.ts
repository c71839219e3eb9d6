import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { noScriptCsp } from "#app/server/http/csp.server.ts";

/** For a page with a script of this site, which can have no markup from text. Pages that list what strangers typed have none. */
export const scriptCsp = `${noScriptCsp}; script-src 'self'`;

/**
 * Serves a script whose address has its version. An address from before a deployment gets the present script, which is not
 * kept for it.
 */
export function serveScript(c: OwnerContext, script: string, version: string): Response {
  return c.body(script, 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": c.req.query("v") === version ? "private, max-age=31536000, immutable" : "no-store",
  });
}
