import type { Context } from "hono";
import type { AppContext } from "#app/context.ts";
import type { Session } from "#app/owner/sign-in/session.server.ts";
import type { Owner } from "#app/server/owners.server.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

/** Hono bindings for the owner's handlers, which are mounted only if an owner is configured. */
export interface OwnerBindings {
  Variables: {
    app: AppContext & { owners: Owner[] };
    publicPages: readonly PageRecord[];
    owner: Owner;
    session: Session;
  };
}

export type OwnerContext = Context<OwnerBindings>;
