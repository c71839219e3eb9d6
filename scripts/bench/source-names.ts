import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join } from "node:path";
import type { CpuProfile } from "#scripts/bench/cpu-profile.ts";
import { root } from "#scripts/lib/commands.ts";

type CallFrame = CpuProfile["nodes"][number]["callFrame"];

/** Maps a profile of the minified Worker to its source, with the source maps that the build writes next to the bundle. */
export function withSourceNames(profile: CpuProfile, folder = join(root, "build", "server")): CpuProfile {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(folder, file));
    return maps.get(file) ?? null;
  };
  const nodes = profile.nodes.map(({ callFrame, ...node }) => ({
    ...node,
    callFrame: original(callFrame, mapOf(basename(callFrame.url))),
  }));
  return { ...profile, nodes };
}

function readMap(folder: string, file: string): SourceMap | null {
  const path = [join(folder, `${file}.map`), join(folder, "assets", `${file}.map`)].find((candidate) =>
    existsSync(candidate),
  );
  return path === undefined ? null : new SourceMap(JSON.parse(readFileSync(path, "utf8")));
}

function original(frame: CallFrame, map: SourceMap | null): CallFrame {
  const entry = map?.findEntry(frame.lineNumber, frame.columnNumber);
  // The bundler's own code has no source.
  if (map === null || entry === undefined || !("originalSource" in entry) || !entry.originalSource) return frame;
  const { originalSource, originalLine } = entry;
  const { sources, sourcesContent = [] } = map.payload;
  const line = sourcesContent[sources.indexOf(originalSource)]?.split("\n")[originalLine] ?? "";
  const functionName = functionNameIn(line) ?? frame.functionName;
  return { ...frame, functionName, url: originalSource, lineNumber: originalLine };
}

/** The name of the function declared on a line of source. */
function functionNameIn(line: string): string | undefined {
  const declared = /\bfunction\b\*?\s*([\w$]+)/.exec(line)?.[1];
  return declared ?? /^\s*(?:(?:const|let|var|async|static|get|set)\s+)*([\w$.]+)\s*(?:[=:]|\()/.exec(line)?.[1];
}
