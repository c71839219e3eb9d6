import type { EntryContext } from "react-router";
import {
  DEFERRED_FORM,
  DEFERRED_MODULE,
  DEFERRED_SCRIPT,
  HYDRATED_EVENT,
  starter,
} from "#app/layout/hydration/deferred-hydration.ts";

/** The starter's text. In development scripts are not late, and it finds nothing to do. */
export const hydrationScript = `(${starter})(${[DEFERRED_SCRIPT, DEFERRED_MODULE, HYDRATED_EVENT, DEFERRED_FORM].map((text) => JSON.stringify(text))})`;

/**
 * Puts at a page's end what React Router's `Scripts` and `StreamTransfer` would have, under types that browsers leave
 * alone until the {@link starter} gives them their own: what the loaders returned, and the modules of the page's
 * routes. No module is loaded ahead. In development `Scripts` stands on the page, and the loaders' part is all.
 */
export async function appendDeferredScripts(page: string, router: EntryContext, nonce: string): Promise<string> {
  const { serverHandoffStream, serverHandoffString } = router;
  if (serverHandoffStream === undefined) return page;
  const data = scriptText(await textOf(serverHandoffStream));
  const handoff = `${CONTEXT}.streamController.enqueue(${data});${CONTEXT}.streamController.close();`;
  const scripts = import.meta.env.DEV
    ? `<script nonce="${nonce}">${handoff}</script>`
    : `<script type="${DEFERRED_SCRIPT}" nonce="${nonce}">${CONTEXT}=${serverHandoffString};${STREAM}${handoff}</script>` +
      `<script type="${DEFERRED_MODULE}" nonce="${nonce}" async>${modulesOf(router)}</script>`;
  const end = page.lastIndexOf("</body>");
  return `${page.slice(0, end)}${scripts}${page.slice(end)}`;
}

const CONTEXT = "window.__reactRouterContext";

const STREAM =
  `${CONTEXT}.stream=new ReadableStream({start(controller){${CONTEXT}.streamController=controller}})` +
  ".pipeThrough(new TextEncoderStream());";

/** Loads the modules of the routes that make up the page, and then the application. */
function modulesOf({ manifest, staticHandlerContext: { matches } }: EntryContext): string {
  const ids = matches.map(({ route }) => route.id);
  const key = ids.join(" ");
  const written = modules.get(key) ?? writeModules(manifest, ids);
  modules.set(key, written);
  return written;
}

/** By route ids: there is one build, and few routes. */
const modules = new Map<string, string>();

function writeModules(manifest: EntryContext["manifest"], ids: string[]): string {
  const imports = ids.map((id, place) => `import*as route${place} from ${JSON.stringify(moduleOf(manifest, id))};`);
  const byId = ids.map((id, place) => `${JSON.stringify(id)}:route${place}`);
  return [
    `import ${JSON.stringify(manifest.url)};`,
    ...imports,
    `window.__reactRouterRouteModules={${byId.join(",")}};`,
    `import(${JSON.stringify(manifest.entry.module)});`,
  ].join("");
}

/** @throws for a route in several files, and for one with styles of its own: built pages would load but one file */
function moduleOf({ routes }: EntryContext["manifest"], id: string): string {
  const route = routes[id];
  if (route === undefined) throw new Error(`Route ${id} is not in the manifest`);
  const parts = [
    route.clientActionModule,
    route.clientLoaderModule,
    route.clientMiddlewareModule,
    route.hydrateFallbackModule,
  ];
  if (route.css?.length) throw new Error(`Route ${id} has a stylesheet of its own; all of them are in app/styles`);
  if (parts.some((part) => part !== undefined))
    throw new Error(`Late scripts load one file for route ${id}, not several`);
  return route.module;
}

/** Read by hand: wrapping the stream into a `Response` takes the runtime longer. */
async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
  }
  return text;
}

/** A string literal that cannot end the script it stands in. */
function scriptText(value: string): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
