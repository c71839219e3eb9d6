import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

type Handler<Args extends unknown[]> = (c: OwnerContext, ...args: Args) => Response | Promise<Response>;

/** Runs the handler of the button that was pressed (`intent`). The response is a 400 if it is none of them. */
export function runIntent<Args extends unknown[]>(
  c: OwnerContext,
  handlers: Record<string, Handler<Args>>,
  ...args: Args
): Response | Promise<Response> {
  const handler = new Map(Object.entries(handlers)).get(String(c.var.form.get("intent")));
  return handler === undefined ? badRequest(c) : handler(c, ...args);
}
