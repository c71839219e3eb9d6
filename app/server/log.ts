/** Fields of a log line. Ids, counts and event names; never an address. */
type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes one structured line, which Workers Logs indexes by field. */
export function logInfo(event: string, fields: LogFields = {}): void {
  console.log(line("info", event, fields));
}

export function logWarning(event: string, fields: LogFields = {}): void {
  console.warn(line("warn", event, fields));
}

/** Writes a failure with what caused it, all the way down, without the addresses that error texts may quote. */
export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  console.error(line("error", event, { ...fields, error: describeError(error) }));
}

/**
 * An error's name and message, and those of its causes.
 *
 * Drizzle's own message holds the statement's parameters, so only its cause is told.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactAddresses(String(error));
  if (error.name === "DrizzleQueryError" || "params" in error) return `query failed <- ${describeError(error.cause)}`;
  const own = redactAddresses(`${error.name}: ${error.message}`);
  return error.cause === undefined ? own : `${own} <- ${describeError(error.cause)}`;
}

/** Blots out whatever looks like an e-mail address. */
export function redactAddresses(text: string): string {
  return text.replace(/[^\s@]+@[^\s@]+/g, "[address]");
}

function line(level: string, event: string, fields: LogFields): string {
  return JSON.stringify({ level, event, ...fields });
}
