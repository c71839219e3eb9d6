import { execFileSync } from "node:child_process";

/** @returns what the built site of a folder sends, by name: see `print-rendered.ts` */
export function renderAll(folder: string): Record<string, string> {
  const program = "tests/support/fork/print-rendered.ts";
  return JSON.parse(execFileSync(process.execPath, [program], { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 }));
}
