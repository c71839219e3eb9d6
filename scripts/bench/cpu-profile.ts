/** What V8's profiler writes: nodes of call trees, and which of them was on top at each sample. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

export interface SelfTime {
  /** Name of the function and where it stands. */
  name: string;
  microseconds: number;
}

/** Time that each function took itself, without what it called, most first. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "(unknown)";
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return [...times]
    .map(([name, microseconds]) => ({ name, microseconds }))
    .toSorted((one, other) => other.microseconds - one.microseconds);
}

/** The functions that took most, as shares of the time in which anything ran. */
export function topShares(profile: CpuProfile, count: number): { name: string; share: number }[] {
  const busy = selfTimes(profile).filter(({ name }) => name !== "(idle)");
  const total = busy.reduce((sum, { microseconds }) => sum + microseconds, 0);
  return busy.slice(0, count).map(({ name, microseconds }) => ({ name, share: microseconds / total }));
}

function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  if (functionName.startsWith("(")) return functionName;
  const file = url.split("/").at(-1) ?? "";
  return `${functionName || "(anonymous)"}${file === "" ? "" : ` ${file}:${lineNumber + 1}`}`;
}
