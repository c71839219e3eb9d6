/** Fields of a log line: ids, counts and names; never an email address. */
type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Logs one JSON line, which Workers Logs indexes by field. */
export function logInfo(event: string, fields: LogFields = {}): void {
  console.log(line("info", event, fields));
}

export function logWarning(event: string, fields: LogFields = {}): void {
  console.warn(line("warn", event, fields));
}

/** Logs an error with its chain of causes, with email addresses redacted. */
export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  console.error(line("error", event, { ...fields, error: describeError(error) }));
}

/**
 * An error's name and message, and those of its causes, with email addresses redacted.
 *
 * For Drizzle errors only the cause: their own message contains the statement's parameters.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactAddresses(String(error));
  if (error.name === "DrizzleQueryError" || "params" in error) return `query failed <- ${describeError(error.cause)}`;
  const message = redactAddresses(`${error.name}: ${error.message}`);
  return error.cause === undefined ? message : `${message} <- ${describeError(error.cause)}`;
}

/** Replaces anything that looks like an email address. */
export function redactAddresses(text: string): string {
  return text.replace(/[^\s@]+@[^\s@]+/g, "[address]");
}

function line(level: string, event: string, fields: LogFields): string {
  return JSON.stringify({ level, event, ...fields });
}
