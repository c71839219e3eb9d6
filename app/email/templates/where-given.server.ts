/** What is stored with the email of someone who joined at an event. */
interface GivenData {
  /** The event's name. */
  event: string;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Where and when an address was given: `at Spring Fair, on 26 November 2026 at 14:05`. Null if it was on the site.
 *
 * @param data what is stored with the email
 */
export function whereGiven(data: object | null, timeZone: string): string | null {
  const { event, at } = (data ?? {}) as Partial<GivenData>;
  if (event === undefined || at === undefined) return null;
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(at);
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
  return `at ${event}, on ${day} at ${time}`;
}
