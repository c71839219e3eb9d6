import type { CpuProfile } from "#scripts/bench/cpu-profile.ts";

/** Sampling interval (microseconds). */
const INTERVAL = 200;

/**
 * Profiles a Worker during `work`.
 *
 * @param inspector workerd's inspector
 * @param service the Worker's name
 */
export async function profileWhile(inspector: URL, service: string, work: () => Promise<unknown>): Promise<CpuProfile> {
  const list = await fetch(`http://${inspector.host}/json`);
  const targets = (await list.json()) as { id: string; webSocketDebuggerUrl: string }[];
  const target = targets.find(({ id }) => id.endsWith(`:${service}`));
  if (target === undefined) throw new Error(`No Worker ${service} among ${targets.map(({ id }) => id).join(", ")}`);
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
  const pending = new Map<number, (result: Record<string, unknown>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    pending.get(id)?.(result);
    pending.delete(id);
  });
  let lastId = 0;
  return {
    send(method: string, params: object = {}): Promise<Record<string, unknown>> {
      lastId += 1;
      const response = new Promise<Record<string, unknown>>((resolve) => pending.set(lastId, resolve));
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return response;
    },
    close: () => socket.close(),
  };
}
