import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";
import { letters } from "#app/switches.ts";

/** Those that this site has. A key may have others from before a feature was switched off. */
export const apiScopes: Partial<Record<ApiScope, string>> = {
  "entries:read": "Read entries, with addresses and notes",
  "entries:write": "Add, change, unsubscribe and erase entries",
  "stats:read": "Read the stats on the overview",
  ...(letters ? { "letters:read": "Read letters and their results" } : {}),
};
