import type { MouseEvent } from "react";
import { ROLE_QUESTION, roles } from "#app/waitlist/roles.ts";

interface RoleChoicesProps {
  /** The role that is stored, or being stored. */
  chosen: string | null | undefined;
  busy?: boolean;
  onPress?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** The question what brings someone here, with a submit button for each answer. */
export function RoleChoices({ chosen, busy = false, onPress }: RoleChoicesProps) {
  return (
    <fieldset className="role-choices">
      <legend>{ROLE_QUESTION}</legend>
      {Object.entries(roles).map(([role, words]) => (
        <button
          key={role}
          className={role === chosen ? "button" : "button button-quiet"}
          type="submit"
          name="role"
          value={role}
          aria-pressed={role === chosen}
          aria-disabled={busy || undefined}
          onClick={onPress}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
