import type { Millis } from "#app/server/time/units.ts";

/** A dependency did not respond in time. The message contains nothing but its name and the limit. */
export class TimeoutError extends Error {
  override name = "TimeoutError";
}

/** One timeout covers fetching and `read`, which must consume or cancel the body, or the connection stays open. */
export async function fetchWithTimeout<T>(
  url: string,
  init: RequestInit,
  limit: { time: Millis; name: string },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  try {
    const work = fetch(url, { ...init, signal: controller.signal }).then(read);
    return await withTimeout(work, limit.time, limit.name);
  } finally {
    controller.abort();
  }
}

/**
 * Rejects with a {@link TimeoutError} when `work` takes longer than `time`. The work itself continues: calls to
 * D1 and the email binding cannot be aborted.
 */
export async function withTimeout<T>(work: Promise<T>, time: Millis, name: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const fail = () => reject(new TimeoutError(`${name} did not respond within ${time} ms`));
    timer = setTimeout(fail, time);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
