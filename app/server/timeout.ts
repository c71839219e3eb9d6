/** A dependency that did not answer in time. Its message names the dependency and nothing else. */
export class TimeoutError extends Error {
  override name = "TimeoutError";
}

/**
 * Fetches and reads within one time limit, and hangs up when it is over.
 *
 * @param read must read the body to its end or cancel it, or the connection stays taken
 */
export async function fetchWithTimeout<T>(
  url: string,
  init: RequestInit,
  limit: { milliseconds: number; what: string },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  try {
    const work = fetch(url, { ...init, signal: controller.signal }).then(read);
    return await withTimeout(work, limit.milliseconds, limit.what);
  } finally {
    controller.abort();
  }
}

/**
 * Rejects with an error of that name when `work` takes longer than `milliseconds`. The work itself goes on: D1 and
 * the mail binding have no way to be called off.
 */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new TimeoutError(`${what} did not answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
