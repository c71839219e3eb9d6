import type { Context } from "hono";
import type { AppContext } from "#app/context.ts";

/** Hono bindings for the owner's handlers, which are mounted only if an owner is configured. */
export interface OwnerBindings {
  Bindings: { app: AppContext & { ownerEmail: string } };
  Variables: { owner: { email: string } };
}

export type OwnerContext = Context<OwnerBindings>;
