import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";

export const apiScopes: Record<ApiScope, string> = {
  "entries:read": "Read entries, with addresses and notes",
  "entries:write": "Add, change, unsubscribe and erase entries",
  "stats:read": "Read the stats on the overview",
  "letters:read": "Read letters and their results",
};
