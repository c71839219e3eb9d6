import type { CpuProfile } from "#scripts/bench/cpu-profile.ts";

/** How often the profiler looks (microseconds). */
const INTERVAL = 200;

/**
 * Profiles the Worker behind an inspector while something is done to it.
 *
 * @param inspector workerd's own inspector
 * @param service the Worker's name
 */
export async function profileWhile(inspector: URL, service: string, work: () => Promise<unknown>): Promise<CpuProfile> {
  const list = await fetch(`http://${inspector.host}/json`);
  const targets = (await list.json()) as { id: string; webSocketDebuggerUrl: string }[];
  const target = targets.find(({ id }) => id.endsWith(`:${service}`));
  if (target === undefined) throw new Error(`no Worker ${service} among ${targets.map(({ id }) => id).join(", ")}`);
  const session = await connect(target.webSocketDebuggerUrl);
  try {
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: INTERVAL });
    await session.send("Profiler.start");
    await work();
    const { profile } = await session.send("Profiler.stop");
    return profile as CpuProfile;
  } finally {
    session.close();
  }
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  return {
    send(method: string, params: object = {}): Promise<Record<string, unknown>> {
      last += 1;
      const answer = new Promise<Record<string, unknown>>((resolve) => waiting.set(last, resolve));
      socket.send(JSON.stringify({ id: last, method, params }));
      return answer;
    },
    close: () => socket.close(),
  };
}
