import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";

export const apiScopes: Record<ApiScope, string> = {
  "entries:read": "Read entries, with addresses and notes",
  "entries:write": "Add, change, unsubscribe and erase entries",
  "stats:read": "Read the stats on the overview",
  "letters:read": "Read letters and their results",
};

/** Characters. */
export const MAX_KEY_NAME_LENGTH = 50;

export interface TypedKey {
  name: string;
  scopes: ApiScope[];
}

export function readKey(form: FormData): TypedKey & { problems: Partial<Record<keyof TypedKey, string>> } {
  const typed = form.get("name");
  const name = (typeof typed === "string" ? typed : "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  const chosen = form.getAll("scopes");
  const scopes = (Object.keys(apiScopes) as ApiScope[]).filter((scope) => chosen.includes(scope));
  const problem = nameProblem(name);
  return {
    name,
    scopes,
    problems: {
      ...(problem === null ? {} : { name: problem }),
      ...(scopes.length === 0 ? { scopes: "Choose at least one." } : {}),
    },
  };
}

function nameProblem(name: string): string | null {
  if (name === "") return "Give the key a name, such as the program that will use it.";
  if (name.length > MAX_KEY_NAME_LENGTH) return `Use at most ${MAX_KEY_NAME_LENGTH} characters.`;
  // The log shows names, and holds no addresses.
  return name.includes("@") ? "Leave out email addresses: the log shows this name." : null;
}
