import type { AppContext } from "#app/server/context.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/**
 * Joins concurrent calls with the same key in this isolate: they share the result of one run.
 *
 * @param lostAfter after which a run counts as lost, because its request was cut off
 */
export function createSingleFlight<T>(lostAfter: Millis) {
  const running = new Map<string, { since: EpochMillis; result: Promise<T> }>();

  /** @param start must not reject */
  return function join(
    key: string,
    { now, waitUntil }: Pick<AppContext, "now" | "waitUntil">,
    start: () => Promise<T>,
  ): Promise<T> {
    const since = now();
    const current = running.get(key);
    if (current !== undefined && since - current.since < lostAfter) return current.result;
    const flight = { since, result: start() };
    running.set(key, flight);
    // Keeps the work alive when the visitor leaves early.
    waitUntil(
      flight.result.then(() => {
        if (running.get(key) === flight) running.delete(key);
      }),
    );
    return flight.result;
  };
}
