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

/**
 * Appends the scripts of React Router's `Scripts` and `StreamTransfer` to a page, as deferred scripts that
 * {@link deferHydration} runs: the loaders' data and the route modules, none of them preloaded. In development the page
 * renders `Scripts`, so this appends the loaders' data only.
 */
export async function appendDeferredScripts(page: string, router: EntryContext, nonce: string): Promise<string> {
  const { serverHandoffStream, serverHandoffString } = router;
  if (serverHandoffStream === undefined) return page;
  const data = escapeForScript(await readText(serverHandoffStream));
  const handoff = `${CONTEXT}.streamController.enqueue(${data});${CONTEXT}.streamController.close();`;
  const scripts = import.meta.env.DEV
    ? `<script nonce="${nonce}">${handoff}</script>`
    : `<script type="${DEFERRED_SCRIPT}" nonce="${nonce}">${CONTEXT}=${serverHandoffString};${STREAM}${handoff}</script>` +
      `<script type="${DEFERRED_MODULE}" nonce="${nonce}" async>${moduleScript(router)}</script>`;
  const end = page.lastIndexOf("</body>");
  return `${page.slice(0, end)}${scripts}${page.slice(end)}`;
}

const CONTEXT = "window.__reactRouterContext";

const STREAM =
  `${CONTEXT}.stream=new ReadableStream({start(controller){${CONTEXT}.streamController=controller}})` +
  ".pipeThrough(new TextEncoderStream());";

/** A script that imports the page's route modules, then the client entry. */
function moduleScript({ manifest, staticHandlerContext: { matches } }: EntryContext): string {
  const ids = matches.map(({ route }) => route.id);
  const key = ids.join(" ");
  const script = moduleScripts.get(key) ?? buildModuleScript(manifest, ids);
  moduleScripts.set(key, script);
  return script;
}

/** Unbounded: the key is the list of route ids, and routes are few. */
const moduleScripts = new Map<string, string>();

function buildModuleScript(manifest: EntryContext["manifest"], ids: string[]): string {
  const imports = ids.map((id, index) => `import*as route${index} from ${JSON.stringify(moduleOf(manifest, id))};`);
  const byId = ids.map((id, index) => `${JSON.stringify(id)}:route${index}`);
  return [
    `import ${JSON.stringify(manifest.url)};`,
    ...imports,
    `window.__reactRouterRouteModules={${byId.join(",")}};`,
    `import(${JSON.stringify(manifest.entry.module)});`,
  ].join("");
}

/** @throws for a route with several modules or a stylesheet: built pages load only one file per route */
function moduleOf({ routes }: EntryContext["manifest"], id: string): string {
  const route = routes[id];
  if (route === undefined) throw new Error(`Route ${id} is not in the manifest`);
  const otherModules = [
    route.clientActionModule,
    route.clientLoaderModule,
    route.clientMiddlewareModule,
    route.hydrateFallbackModule,
  ];
  if (route.css?.length) throw new Error(`Route ${id} has a stylesheet; import it in app/layout/styles instead`);
  if (otherModules.some((module) => module !== undefined))
    throw new Error(`Route ${id} has several modules; deferred scripts load only one`);
  return route.module;
}

/** Faster in workerd than `new Response(stream).text()`. */
async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
  }
  return text;
}

/** A string literal that cannot end the enclosing script. */
function escapeForScript(value: string): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
