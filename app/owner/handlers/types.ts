import type { Context } from "hono";
import type { AppContext } from "#app/context.ts";

/** Hono's types for the handlers of the owner's pages, which exist only where there is an owner. */
export interface OwnerBindings {
  Bindings: { app: AppContext & { ownerEmail: string } };
}

export type OwnerContext = Context<OwnerBindings>;
