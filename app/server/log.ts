import { type DailyQuotaError, findQuotaError } from "#app/server/db/daily-quota-error.ts";

/** Fields of a log line: ids, counts and names; never an email address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Logs one JSON line, which Workers Logs indexes by field. */
export function logInfo(event: string, fields: LogFields = {}): void {
  console.log(line("info", event, fields));
}

export function logWarning(event: string, fields: LogFields = {}): void {
  console.warn(line("warn", event, fields));
}

/** Lines per isolate and minute of each event that {@link logSampled} logs. */
export const SAMPLED_LINES = 20;

/** The current minute's lines of each event that {@link logSampled} logs. Exported so that tests begin with none. */
export const sampledLines = new Map<string, { minute: number; lines: number }>();

/** Logs what any client can cause at any rate: log lines cost money, so beyond {@link SAMPLED_LINES} they are left out. */
export function logSampled(level: "info" | "warn" | "error", event: string, fields: LogFields = {}): void {
  const minute = Math.floor(Date.now() / 60_000);
  const previous = sampledLines.get(event);
  const lines = previous?.minute === minute ? previous.lines + 1 : 1;
  sampledLines.set(event, { minute, lines });
  if (lines <= SAMPLED_LINES) console[level === "info" ? "log" : level](line(level, event, fields));
  else if (lines === SAMPLED_LINES + 1) logWarning("log-sampled", { of: event, perMinute: SAMPLED_LINES });
}

/**
 * Logs an error with its chain of causes, with email addresses redacted. When D1's daily quota is used up, every query of
 * a request fails for the same reason, which is logged once.
 */
export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  const quotaError = findQuotaError(error);
  if (quotaError !== null && loggedQuotaErrors.has(quotaError)) return;
  if (quotaError !== null) loggedQuotaErrors.add(quotaError);
  console.error(line("error", event, { ...fields, error: describeError(error) }));
}

const loggedQuotaErrors = new WeakSet<DailyQuotaError>();

/**
 * An error's name and message, and those of its causes, with email addresses redacted. For Drizzle errors only the
 * cause: their own message contains the statement's parameters.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactAddresses(String(error));
  if (error.name === "DrizzleQueryError" || "params" in error) return `query failed <- ${describeError(error.cause)}`;
  const message = redactAddresses(`${error.name}: ${error.message}`);
  return error.cause === undefined ? message : `${message} <- ${describeError(error.cause)}`;
}

/**
 * Replaces every word that looks like an email address, also where its at sign is percent-encoded, in time linear in the
 * text's length.
 */
export function redactAddresses(text: string): string {
  return text.replace(/\S+/g, (word) => (/.(?:@|%(?:25)*40)./.test(word) ? "[address]" : word));
}

/** From this length on a local part that stands alone is redacted; shorter ones are often ordinary words. */
const MIN_LOCAL_PART = 4;

/**
 * Replaces addresses as {@link redactAddresses} does, and these people's also where they are spelt `ada at example.com`,
 * or where the local part stands alone.
 */
export function redactRecipients(text: string, recipients: string[]): string {
  return recipients.reduce((redacted, email) => {
    const at = email.lastIndexOf("@");
    const [local, domain] = [escapePattern(email.slice(0, at)), escapePattern(email.slice(at + 1))];
    const spelt = redacted.replace(RegExp(`${local}\\s+at\\s+${domain}`, "giu"), "[address]");
    if (at < MIN_LOCAL_PART) return spelt;
    return spelt.replace(RegExp(`(?<![\\p{L}\\p{N}])${local}(?![\\p{L}\\p{N}])`, "giu"), "[address]");
  }, redactAddresses(text));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function line(level: string, event: string, fields: LogFields): string {
  return JSON.stringify({ level, event, ...fields });
}
