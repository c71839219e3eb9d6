/**
 * Runs a scenario within one clock minute, the window of the local rate limiter. Repeats it if it spanned two windows.
 *
 * @param scenario receives the number of the run, to use a different client each time
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
