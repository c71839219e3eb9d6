import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { beforeAll, expect, test } from "vitest";
import { files } from "#tests/features/import/hostile-file.ts";
import { runScript } from "#tests/support/run-script.ts";

/** Bytes: the largest file that the owner's pages take. */
const SIZE = 10_000_000;

/** An isolate has 128 MB, of which the Worker's modules and the bytes of the file take some. */
const HEAP_MB = 100;

interface Result {
  /** Milliseconds of CPU time. */
  read: number;
  check: number;
  /** Heap at most, with garbage (MB). */
  heap: number;
}

/** Reads and checks a file in a thread. @param heapLimit in MB. @throws if it is not enough */
async function measure(file: string, size: number, heapLimit = HEAP_MB): Promise<Result> {
  const bytes = new TextEncoder().encode(files[file]?.(size));
  const worker = new Worker(new URL("../hostile-file.ts", import.meta.url), {
    workerData: { bytes },
    transferList: [bytes.buffer],
    execArgv: ["--no-warnings"],
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 8 },
  });
  let result: Omit<Result, "heap"> | null = null;
  let [isReady, isDone, heap] = [false, false, 0];
  worker.on("message", (message) => {
    if (message === "ready") isReady = true;
    else result = message;
  });
  const ended = new Promise<void>((resolve, reject) => worker.once("error", reject).once("exit", () => resolve()));
  const end = ended.finally(() => (isDone = true));
  end.catch(() => {});
  for (; !isDone; await wait(5)) {
    const used = await Promise.race([worker.getHeapStatistics().catch(() => null), end.then(() => null)]);
    if (isReady) heap = Math.max(heap, (used?.used_heap_size ?? 0) / 1_000_000);
  }
  await end;
  if (result === null) throw new Error("The thread ended without a result");
  return { ...(result as Omit<Result, "heap">), heap };
}

const timeOf = ({ read, check }: Result) => read + check;

let ordinary: Result;
beforeAll(async () => {
  ordinary = await measure("people", SIZE, 4 * HEAP_MB);
});

test("an import of 10 MB keeps within the bars of npm run bench", { timeout: 600_000 }, async () => {
  expect(await runScript("bench", ["--only", "import", "--check"])).toMatchObject({ code: 0, err: "" });
});

test.each(Object.keys(files))(
  "10 MB of a file with %s take bounded memory and time",
  { timeout: 120_000 },
  async (file) => {
    const [quarter, whole] = [await measure(file, SIZE / 4), await measure(file, SIZE)];
    for (const { read, check, heap } of [quarter, whole])
      console.log(`${file}: read ${read.toFixed()} ms, check ${check.toFixed()} ms, heap ${heap.toFixed()} MB`);
    expect(timeOf(whole) / timeOf(ordinary)).toBeLessThan(6);
    // Times below it say more about the garbage collector (milliseconds).
    expect(timeOf(whole) / Math.max(timeOf(quarter), 100)).toBeLessThan(8);
  },
);
