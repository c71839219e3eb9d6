/** A dependency that did not answer in time. Its message names the dependency and nothing else. */
export class TimeLimitError extends Error {
  override name = "TimeLimitError";
}

/**
 * Rejects with an error of that name when `work` takes longer than `milliseconds`. The work itself goes on: D1 and
 * the mail binding have no way to be called off.
 */
export async function withTimeLimit<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new TimeLimitError(`${what} did not answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
