import type { Role } from "#app/server/db/schema/entries.server.ts";
import { RoleChoices } from "#app/waitlist/role-choices.tsx";
import { roles } from "#app/waitlist/roles.ts";

/** The value of the button that removes the answer. */
export const NO_ROLE = "none";

/** What a subscriber said brings them here, to answer, change or remove. */
export function OwnRole({ role }: { role: Role | null }) {
  return (
    <form className="your-entry-role" method="post">
      <RoleChoices chosen={role} />
      <p>{role === null ? "You have not answered this yet." : `Your answer: ${roles[role]}.`}</p>
      {role === null ? null : (
        <button className="button button-quiet" name="role" value={NO_ROLE} type="submit">
          Remove my answer
        </button>
      )}
    </form>
  );
}
