import type { Role } from "#app/server/db/schema/entries.server.ts";
import { site } from "#app/site.ts";

/** What people read for each role, in the order of the question. */
export const roles: Record<Role, string> = {
  host: site.host.role,
  stallholder: site.stallholder.role,
  both: "Both",
  curious: "Just curious",
};

/** The field that tells the question's form from the sign-up form. */
export const ROLE_TOKEN_FIELD = "roleToken";

export const ROLE_QUESTION = "What brings you here?";

export function isRole(value: unknown): value is Role {
  return typeof value === "string" && Object.hasOwn(roles, value);
}
