import { parseOptions, persistToOption, type Usage } from "#scripts/lib/options.ts";

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

/** How to call `npm start`. */
export const startUsage = {
  command: "npm start",
  summary: "Serves the production build on this machine. Builds first if anything changed since the last build.",
  options: {
    port: { type: "number", description: "the port to listen on", default: 8787 },
    "persist-to": persistToOption,
    var: { type: "list", value: "NAME:value", description: "sets a variable of the site; can be repeated" },
    verbose: { type: "boolean", description: "shows all output of Wrangler, and every request" },
  },
  passesTo: "wrangler dev",
} as const satisfies Usage;

/**
 * Parses the flags of `npm start`.
 *
 * @throws {Error} with a message for the terminal when one has no valid value
 */
export function readWranglerFlags(args: string[]): WranglerFlags & { verbose: boolean } {
  const { values, rest } = parseOptions(startUsage, args);
  return {
    port: requirePort(values.port),
    persistTo: values["persist-to"],
    vars: Object.assign({}, ...values.var.map(readVar)),
    verbose: values.verbose,
    rest,
  };
}

export function requirePort(port: number): number {
  if (port < 1 || port > 65_535) throw new Error(`--port ${port} is not a port number.`);
  return port;
}

function readVar(pair: string): Record<string, string> {
  const colon = pair.indexOf(":");
  if (colon < 1) throw new Error(`--var ${pair} must have the form NAME:value.`);
  return { [pair.slice(0, colon)]: pair.slice(colon + 1) };
}
