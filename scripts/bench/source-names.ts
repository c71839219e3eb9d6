import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join } from "node:path";
import type { CpuProfile } from "#scripts/bench/cpu-profile.ts";
import { root } from "#scripts/lib/commands.ts";

type CallFrame = CpuProfile["nodes"][number]["callFrame"];

/** A profile of the minified Worker in the words of its source, by the maps that the build leaves beside the bundle. */
export function inSourceNames(profile: CpuProfile, folder = join(root, "build", "server")): CpuProfile {
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
  // What the bundler added has no source.
  if (map === null || entry === undefined || !("originalSource" in entry) || !entry.originalSource) return frame;
  const { originalSource, originalLine } = entry;
  const { sources, sourcesContent = [] } = map.payload;
  const line = sourcesContent[sources.indexOf(originalSource)]?.split("\n")[originalLine] ?? "";
  const functionName = functionIn(line) ?? frame.functionName;
  return { ...frame, functionName, url: originalSource, lineNumber: originalLine };
}

/** The name of the function that begins in a line of source. */
function functionIn(line: string): string | undefined {
  const declared = /\bfunction\b\*?\s*([\w$]+)/.exec(line)?.[1];
  return declared ?? /^\s*(?:(?:const|let|var|async|static|get|set)\s+)*([\w$.]+)\s*(?:[=:]|\()/.exec(line)?.[1];
}
