import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { findChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";

/** The hardware and versions of the run, without anything that identifies the machine. */
export function describeMachine(): [name: string, value: string][] {
  return [
    ["processor", `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores`],
    ["memory", `${Math.round(totalmem() / 1024 ** 3)} GB`],
    ["system", `${process.platform} ${process.arch}`],
    ["Node", process.version],
    ...["wrangler", "workerd", "react-router", "react", "lighthouse"].map(
      (name) => [name, installed(name)] as [string, string],
    ),
    ["Chromium", chromiumVersion()],
  ];
}

function installed(name: string): string {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

function chromiumVersion(): string {
  const { stdout } = spawnSync(findChromium() ?? "chromium", ["--version"], { encoding: "utf8" });
  return /[\d.]+/.exec(stdout ?? "")?.[0] ?? "none";
}
