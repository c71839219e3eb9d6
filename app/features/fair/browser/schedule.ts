/** Milliseconds between two attempts, and at most after failures. */
const INTERVAL = 30_000;
const MAX_INTERVAL = 300_000;

export interface Schedule {
  /** Attempts now; during an attempt, once more after it. */
  now(): void;
}

/** Repeats an attempt: now, when the network comes back, and every 30 seconds, each time twice as long after a failure. */
export function startSchedule(attempt: () => Promise<boolean>): Schedule {
  let interval = INTERVAL;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isWanted = false;

  async function run(): Promise<void> {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    while (isWanted) {
      isWanted = false;
      const succeeded = await attempt().catch(() => false);
      interval = succeeded ? INTERVAL : Math.min(2 * interval, MAX_INTERVAL);
    }
    isRunning = false;
    timer = setTimeout(run, interval);
  }

  addEventListener("online", () => void run());
  void run();
  return { now: () => void run() };
}
