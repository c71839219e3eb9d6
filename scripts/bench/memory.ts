import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const MB = 1_000_000;

/** Bytes. */
interface Memory {
  /** JavaScript heap and array buffers of the Worker's isolate, with garbage that was not collected yet. */
  isolate: number;
  /** Resident memory of its process, which Miniflare's D1 shares. */
  workerd: number;
}

/** Watches the memory of a workerd process on Linux. @param inspector of the isolate */
export async function watchMemory(pid: number, inspector: string) {
  const socket = new WebSocket(inspector);
  await once(socket, "open", { signal: AbortSignal.timeout(5_000) });
  const used = async () => {
    // One question at a time, and the inspector sends nothing else.
    const answer = once(socket, "message", { signal: AbortSignal.timeout(60_000) });
    socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    const [{ data }] = await answer;
    const { usedSize, backingStorageSize } = JSON.parse(data).result;
    return Number(usedSize) + Number(backingStorageSize);
  };
  const resident = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
  const idle: Memory = { isolate: await used(), workerd: resident("VmRSS") };
  return {
    /** Runs something. @returns how far memory grew above that of the idle Worker at most (MB) */
    async growthDuring(run: () => Promise<unknown>): Promise<Memory> {
      // Sets VmHWM back to VmRSS. https://www.kernel.org/doc/html/latest/filesystems/proc.html
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
      let [isDone, peak] = [false, 0];
      const ran = run().finally(() => (isDone = true));
      // Awaited below.
      ran.catch(() => {});
      // The inspector answers between two tasks of the isolate; VmHWM also knows what was freed within one.
      for (; !isDone; await wait(20)) peak = Math.max(peak, await used());
      await ran;
      return { isolate: (peak - idle.isolate) / MB, workerd: (resident("VmHWM") - idle.workerd) / MB };
    },
    [Symbol.dispose]: () => socket.close(),
  };
}
