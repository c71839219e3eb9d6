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

/** The names of links in a page, or in a part of it, that lead to more than one address. */
export function ambiguousLinks(html: string): string[] {
  const [main = ""] = /<main.*<\/main>/s.exec(html) ?? [];
  const links = Array.from(
    main.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs),
    ([, href = "", content = ""]) => ({
      href,
      name: visibleText(`<main>${content}</main>`).trim(),
    }),
  );
  const byName = Map.groupBy(links, ({ name }) => name);
  return [...byName].flatMap(([name, named]) => (new Set(named.map(({ href }) => href)).size > 1 ? [name] : []));
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
