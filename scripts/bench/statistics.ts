import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** @param values at least one */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function gzipBytes(content: string | Buffer): number {
  return gzipSync(content).length;
}

/** At the quality of an edge that compresses responses on the fly. */
export function brotliBytes(content: string | Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}
