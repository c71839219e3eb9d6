import type { DatabaseLocation, OpenDatabase } from "#scripts/owner/database.ts";

/** What commands work with. */
export interface Environment {
  /** For results. */
  out: NodeJS.WritableStream;
  /** For progress and errors. */
  err: NodeJS.WritableStream;
  open(location: DatabaseLocation): Promise<OpenDatabase>;
}

/** The options of every command. */
export const databaseOptions = {
  remote: { type: "boolean", default: false },
  "persist-to": { type: "string", default: ".wrangler/state" },
} as const;

/** Incorrect command-line usage. */
export class UsageError extends Error {
  override name = "UsageError";
}
