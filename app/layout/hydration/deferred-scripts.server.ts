import type { EntryContext } from "react-router";
import {
  DEFERRED_FORM,
  DEFERRED_MODULE,
  DEFERRED_SCRIPT,
  deferHydration,
  HYDRATED_EVENT,
} from "#app/layout/hydration/deferred-hydration.ts";

/** The inline script. In development no script is deferred, so it does nothing. */
export const hydrationScript = `(${deferHydration})(${[DEFERRED_SCRIPT, DEFERRED_MODULE, HYDRATED_EVENT, DEFERRED_FORM].map((text) => JSON.stringify(text))})`;

const CONTEXT = "window.__reactRouterContext";

/**
 * Gives the scripts of React Router's `Scripts` types that only {@link deferHydration} runs, without their preloads. The
 * loaders' data follows, as `StreamTransfer` would write it, which needs a streaming renderer. In development no script
 * is deferred.
 */
export async function deferScripts(page: string, router: EntryContext, nonce: string): Promise<string> {
  // "<" could end the script.
  const data = JSON.stringify(await new Response(router.serverHandoffStream).text()).replaceAll("<", "\\u003c");
  const handoff = `${CONTEXT}.streamController.enqueue(${data});${CONTEXT}.streamController.close();`;
  const script = `<script nonce="${nonce}"`;
  const end = page.lastIndexOf("</body>");
  const html = `${page.slice(0, end)}${script}>${handoff}</script>${page.slice(end)}`;
  if (import.meta.env.DEV) return html;
  return html
    .replaceAll(`${script}>${CONTEXT}`, `${script} type="${DEFERRED_SCRIPT}">${CONTEXT}`)
    .replaceAll(`${script} type="module"`, `${script} type="${DEFERRED_MODULE}"`)
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
}
