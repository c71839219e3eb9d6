import { topShares } from "#scripts/bench/cpu-profile.ts";
import { LOAD, round, type Side } from "#scripts/bench/load.ts";
import type { Table } from "#scripts/bench/outcome.ts";
import { profileWhile } from "#scripts/bench/profiler.ts";
import { withSourceNames } from "#scripts/bench/source-names.ts";
import { brotliBytes } from "#scripts/bench/statistics.ts";
import { startSite } from "#scripts/bench/workers.ts";

const MAX_ROWS = 12;

interface CpuExplanation {
  title: string;
  vars?: Record<string, string>;
  requests: number;
  nextRequest?: Side["nextRequest"];
}

/** Profiles the Worker's CPU time while it handles one kind of request. */
export async function explainCpu({ title, vars = {}, requests, nextRequest }: CpuExplanation): Promise<Table> {
  await using site = await startSite({ transport: "socket", vars, inspector: true });
  const side: Side = { ...site, name: title, ...(nextRequest === undefined ? {} : { nextRequest }) };
  await round(side, requests, LOAD.connections);
  if (site.inspector === null) throw new Error("The runtime has no inspector");
  const profile = await profileWhile(site.inspector, "site", () => round(side, requests, LOAD.connections));
  return {
    title,
    head: ["function", "share of CPU time"],
    rows: topShares(withSourceNames(profile), MAX_ROWS).map(({ name, share }) => [`\`${name}\``, percent(share)]),
  };
}

/** A table of sizes, largest part first. */
export function explainBytes(title: string, parts: Record<string, number>): Table {
  const rows = Object.entries(parts).toSorted(([, one], [, other]) => other - one);
  return {
    title,
    head: ["part", "bytes"],
    rows: rows.slice(0, MAX_ROWS).map(([name, bytes]) => [`\`${name}\``, bytes]),
  };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Splits a text into parts by pattern, and returns each part's size and the rest's (bytes, brotli). */
export function partsOf(text: string, patterns: Record<string, RegExp>): Record<string, number> {
  let rest = text;
  const parts: Record<string, number> = {};
  for (const [name, pattern] of Object.entries(patterns)) {
    const found = rest.match(pattern)?.join("") ?? "";
    rest = rest.replaceAll(pattern, "");
    if (found !== "") parts[name] = brotliBytes(found);
  }
  return { ...parts, "the rest": brotliBytes(rest) };
}
