// @ts-expect-error: build output, which has no types.
import worker from "../../../build/server/index.js";

/** The built Worker, as deployed. */
export const builtWorker = worker as Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled">> & {
  fetch(request: Request, bindings: Env, execution: ExecutionContext): Promise<Response>;
};

/** The message area of a page's first sign-up form. */
export function messageOf(html: string): { status: string; text: string } {
  const area = /<p[^>]*sign-up-message[^>]*data-status="(\w+)"[^>]*>([^<]*)/.exec(html);
  return { status: area?.[1] ?? "missing", text: decode(area?.[2] ?? "") };
}

/** The value of the email field of a page's first sign-up form. */
export function typedEmail(html: string): string {
  const field = /<input[^>]*name="email"[^>]*>/.exec(html)?.[0] ?? "";
  return decode(/\svalue="([^"]*)"/.exec(field)?.[1] ?? "");
}

/** The hidden fields of a page's first sign-up form. */
export function hiddenFields(html: string): Record<string, string> {
  const form = /<form.*?<\/form>/s.exec(html)?.[0] ?? "";
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([\w-]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name, value]) => [name, value]));
}

function decode(html: string): string {
  const entities: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#x27;": "'" };
  return html.replace(/&(?:quot|lt|gt|amp|#x27);/g, (entity) => entities[entity] ?? entity);
}
