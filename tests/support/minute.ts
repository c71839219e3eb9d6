/**
 * Runs a scenario that has to fit into one clock minute, since the local rate limiter counts by those. One that the
 * minute's end cut in two counted in two windows and says nothing, so it is begun anew in the next.
 *
 * @param scenario told the how-manieth run it is, to take a client of its own
 */
export async function withinOneMinute<T>(scenario: (run: number) => Promise<T>): Promise<T> {
  for (let run = 0; ; run += 1) {
    const minute = currentMinute();
    const result = await scenario(run);
    if (currentMinute() === minute) return result;
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000);
}
