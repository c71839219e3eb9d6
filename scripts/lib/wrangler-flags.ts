import { parseArgs } from "node:util";

/** Flags for `wrangler dev`, with those parsed that this project needs. */
export interface WranglerFlags {
  port: number;
  /** Folder of the local D1 and KV. */
  persistTo: string;
  /** Variables given with `--var NAME:value`. */
  vars: Record<string, string>;
  /** The remaining flags, unchanged. */
  rest: string[];
}

/**
 * Parses `--port`, `--persist-to` and every `--var` from Wrangler's flags.
 *
 * @throws {Error} with a message for the terminal when one has no valid value
 */
export function readWranglerFlags(args: string[]): WranglerFlags {
  const { tokens } = parseArgs({ args, tokens: true, strict: false, options: valueOptions });
  const flags: WranglerFlags = { port: 8787, persistTo: ".wrangler/state", vars: {}, rest: [...args] };
  const parsed = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !(token.name in valueOptions)) continue;
    if (token.value === undefined || token.value === "") throw new Error(`${token.rawName} needs a value.`);
    parsed.add(token.index);
    if (!token.inlineValue) parsed.add(token.index + 1);
    if (token.name === "port") flags.port = readPort(token.value);
    if (token.name === "persist-to") flags.persistTo = token.value;
    if (token.name === "var") Object.assign(flags.vars, readVar(token.value));
  }
  flags.rest = args.filter((_, index) => !parsed.has(index));
  return flags;
}

const valueOptions = {
  port: { type: "string" },
  "persist-to": { type: "string" },
  var: { type: "string", multiple: true },
} as const;

function readPort(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${value} is not a port number.`);
  return port;
}

function readVar(pair: string): Record<string, string> {
  const colon = pair.indexOf(":");
  if (colon < 1) throw new Error(`--var ${pair} must read NAME:value.`);
  return { [pair.slice(0, colon)]: pair.slice(colon + 1) };
}
