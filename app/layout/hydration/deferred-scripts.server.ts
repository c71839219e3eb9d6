import type { EntryContext } from "react-router";
import { DEFERRED } from "#app/layout/hydration/deferred-hydration.ts";
import inlineScript from "#app/layout/inline-script/main.ts?inline-script";

const CONTEXT = "window.__reactRouterContext";

interface Scripts {
  nonce: string;
  /** Consent categories with a configured service, separated by spaces. */
  services: string;
}

/**
 * - The scripts of React Router's `Scripts` get types that only `startHydration` runs, without their preloads. That of
 *   `ScrollRestoration` is left empty: browsers restore the position of a document. In development all run at once.
 * - The loaders' data follows, as `StreamTransfer` would write it, which needs a streaming renderer.
 * - The inline script comes last.
 */
export async function completeScripts(
  page: string,
  router: EntryContext,
  { nonce, services }: Scripts,
): Promise<string> {
  // "<" could end the script.
  const data = JSON.stringify(await new Response(router.serverHandoffStream).text()).replaceAll("<", "\\u003c");
  const handoff = `${CONTEXT}.streamController.enqueue(${data});${CONTEXT}.streamController.close();`;
  const script = `<script nonce="${nonce}"`;
  const end = page.lastIndexOf("</body>");
  const html = `${page.slice(0, end)}${script}>${handoff}</script>`;
  const inline = `${script} data-services="${services}">${inlineScript}</script>`;
  return `${import.meta.env.DEV ? html : defer(html, script)}${inline}${page.slice(end)}`;
}

function defer(html: string, script: string): string {
  return (
    html
      // Only scripts that browsers run may be `async`. These are even so: the parser does not insert them.
      .replaceAll(`${script} type="module" async=""`, `${script} type="${DEFERRED}module"`)
      .replaceAll(`${script}>${CONTEXT}`, `${script} type="${DEFERRED}">${CONTEXT}`)
      .replaceAll(/(<script nonce="[^"]+")>.*?<\/script>/gs, "$1></script>")
      .replaceAll(/<link rel="modulepreload"[^>]*>/g, "")
  );
}
