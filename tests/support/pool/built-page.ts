import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { builtWorker } from "#tests/support/pool/built-site.ts";

/**
 * Requests a path of the built Worker.
 *
 * @param overrides replacements for bindings and variables
 */
export async function read(path: string, overrides: object = {}, method = "GET") {
  const execution = createExecutionContext();
  const request = new Request(`${env.SITE_URL}${path}`, { method });
  const response = await builtWorker.fetch(request, { ...env, ...overrides }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, body, text: visibleText(body) };
}

/**
 * Posts a form to the built Worker, without following redirects.
 *
 * @param replaced bindings and variables
 */
export async function post(path: string, fields: Record<string, string>, { headers = {}, replaced = {} } = {}) {
  const execution = createExecutionContext();
  const init = { method: "POST", headers, body: new URLSearchParams(fields), redirect: "manual" } as const;
  const response = await builtWorker.fetch(new Request(env.SITE_URL + path, init), { ...env, ...replaced }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, body };
}

/** A text as pages write it. */
export function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The text of a page's `<main>`, with whitespace collapsed. */
export function visibleText(html: string): string {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  return main
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}
