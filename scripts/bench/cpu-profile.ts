/** A profile as V8 writes it: the nodes of the call tree, and the node on top of the stack at each sample. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
}

export interface SelfTime {
  /** The function's name and location. */
  name: string;
  microseconds: number;
}

/** Self time of each function, without its callees, longest first. */
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

/** The functions with the most self time, as shares of the non-idle time. */
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
