import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { builtWorker } from "#tests/support/pool/built-site.ts";

/**
 * Reads a path of the deployed Worker.
 *
 * @param replaced bindings and variables that a test puts in the place of the real ones
 */
export async function read(path: string, replaced: object = {}, method = "GET") {
  const execution = createExecutionContext();
  const request = new Request(`${env.SITE_URL}${path}`, { method });
  const response = await builtWorker.fetch(request, { ...env, ...replaced }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, body, text: visibleText(body) };
}

/** The words of a page's main part, one space between them. */
export function visibleText(html: string): string {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  return main
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}
