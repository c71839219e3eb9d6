import { type ParseArgsConfig, parseArgs } from "node:util";

/** An option of a script. Numbers are whole. */
interface Option {
  type: "boolean" | "number" | "string";
  /** What the help text calls the value. */
  value?: string;
  description: string;
  default?: string | number;
  choices?: readonly string[];
}

/** How to call a script: the source of its help text and of the parsing of its options. */
export interface Usage<Options extends Record<string, Option> = Record<string, Option>> {
  /** Such as `npm run db:seed`. */
  command: string;
  summary: string;
  options: Options;
  /** The program that gets all other options; without one they are refused. */
  passesTo?: string;
}

type Value<Declared extends Option> = Declared["type"] extends "boolean"
  ? boolean
  : Declared["type"] extends "number"
    ? number
    : Declared extends { default: string }
      ? string
      : string | undefined;

interface Parsed<Options extends Record<string, Option>> {
  values: { [Name in keyof Options]: Value<Options[Name]> };
  /** Arguments for the program in {@link Usage.passesTo}, in their order. */
  rest: string[];
}

/** The folder of the local database, as an option of a script. */
export const persistToOption = {
  type: "string",
  value: "DIR",
  description: "the folder of the local database",
  default: ".wrangler/state",
} as const satisfies Option;

/** Parses the command line. Prints the help text and exits with 0 for `--help`; explains a mistake and exits with 2. */
export function readOptions<const Options extends Record<string, Option>>(usage: Usage<Options>): Parsed<Options> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(helpText(usage));
    process.exit(0);
  }
  try {
    return parseOptions(usage, args);
  } catch (error) {
    refuse(usage, error);
  }
}

/** Explains a mistake in the command line and exits. */
export function refuse({ command }: Pick<Usage, "command">, error: unknown): never {
  console.error(`${error instanceof Error ? error.message : error}\n\nFor help: ${command} -- --help`);
  process.exit(2);
}

function helpText({ command, summary, options, passesTo }: Usage): string {
  const rows = Object.entries({ ...options, help: HELP }).map(([name, option]) => {
    const flag = option.type === "boolean" ? `--${name}` : `--${name} ${option.value ?? "NUMBER"}`;
    const choices = option.choices ? `: ${option.choices.join(", ")}` : "";
    return [
      flag,
      `${option.description}${choices}${option.default === undefined ? "" : ` (${option.default})`}`,
    ] as const;
  });
  const width = Math.max(...rows.map(([flag]) => flag.length));
  const lines = rows.map(([flag, description]) => `  ${flag.padEnd(width)}   ${description}`);
  const rest = passesTo === undefined ? "" : `\n\nAll other options go to ${passesTo}.`;
  return `${command} [-- options]\n\n${summary}\n\n${lines.join("\n")}${rest}`;
}

const HELP: Option = { type: "boolean", description: "show this text" };

/** @throws {Error} with a message for the terminal */
export function parseOptions<const Options extends Record<string, Option>>(
  { options, passesTo }: Pick<Usage<Options>, "options" | "passesTo">,
  args: string[],
): Parsed<Options> {
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { type }] of Object.entries(options)) config[name] = { type: type === "boolean" ? type : "string" };
  // Whether each argument belongs to one of the options.
  const own = args.map(() => passesTo === undefined);
  for (const token of parseArgs({ args, options: config, strict: false, tokens: true }).tokens) {
    if (token.kind !== "option" || !(token.name in options)) continue;
    own.fill(true, token.index, token.index + (token.inlineValue === false ? 2 : 1));
  }
  const given = parseArgs({ args: args.filter((_, index) => own[index]), options: config }).values;
  const values = Object.entries(options).map(([name, option]) => [name, readValue(name, option, given[name])]);
  return { values: Object.fromEntries(values), rest: args.filter((_, index) => !own[index]) };
}

function readValue(name: string, { type, default: fallback, choices }: Option, given: unknown): unknown {
  if (type === "boolean") return given ?? false;
  if (given === undefined) return fallback;
  if (given === "") throw new Error(`--${name} needs a value.`);
  if (type === "number" && !/^\d+$/.test(String(given))) throw new Error(`--${name} ${given} is not a whole number.`);
  if (choices?.includes(String(given)) === false) {
    throw new Error(`--${name} must be one of ${choices.join(", ")}, not ${given}.`);
  }
  return type === "number" ? Number(given) : given;
}
