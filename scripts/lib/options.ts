import { type ParseArgsConfig, parseArgs } from "node:util";

/** An option of a script. Numbers are whole. */
export type Option =
  | { type: "boolean"; description: string }
  | { type: "number"; value?: string; description: string; default: number }
  | { type: "string"; value: string; description: string; default?: string; choices?: readonly string[] };

export type Options = Record<string, Option>;

/** How to call a script: the source of its help text and of the parsing of its options. */
export interface Usage<Declared extends Options = Options> {
  /** Such as `npm run db:seed`. */
  command: string;
  summary: string;
  options: Declared;
  /** The program that gets all other options; without one they are refused. */
  passesTo?: string;
}

type Value<Declared extends Option> = Declared extends { type: "boolean" }
  ? boolean
  : Declared extends { type: "number" }
    ? number
    : Declared extends { default: string }
      ? string
      : string | undefined;

interface Parsed<Declared extends Options> {
  values: { [Name in keyof Declared]: Value<Declared[Name]> };
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
export function readOptions<const Declared extends Options>(
  usage: Usage<Declared>,
  args = process.argv.slice(2),
): Parsed<Declared> {
  printHelpIfAsked(usage, args);
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

/** Prints the help text and exits, if the command line asks for it. */
function printHelpIfAsked({ command, summary, options, passesTo }: Usage, args = process.argv.slice(2)): void {
  if (!args.includes("--help") && !args.includes("-h")) return;
  const lines = optionLines({ ...options, help: { type: "boolean", description: "show this text" } });
  const rest = passesTo === undefined ? "" : `\n\nAll other options go to ${passesTo}.`;
  console.log(`${command} [-- options]\n\n${summary}\n\n${lines}${rest}`);
  process.exit(0);
}

/** One line per option, with the descriptions aligned. */
function optionLines(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => [syntax(name, option), describe(option)] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, description]) => `  ${flag.padEnd(width)}   ${description}`).join("\n");
}

function syntax(name: string, option: Option): string {
  return option.type === "boolean" ? `--${name}` : `--${name} ${option.value ?? "NUMBER"}`;
}

function describe(option: Option): string {
  const choices = "choices" in option && option.choices ? `: ${option.choices.join(", ")}` : "";
  return `${option.description}${choices}${"default" in option ? ` (${option.default})` : ""}`;
}

/** @throws {Error} with a message for the terminal */
export function parseOptions<const Declared extends Options>(
  { options, passesTo }: Pick<Usage<Declared>, "options" | "passesTo">,
  args: string[],
): Parsed<Declared> {
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { type }] of Object.entries<Option>(options)) {
    config[name] = { type: type === "boolean" ? type : "string" };
  }
  const own = passesTo === undefined ? args.map(() => true) : declaredArguments(args, config);
  const given = parseArgs({ args: args.filter((_, index) => own[index]), options: config }).values;
  const values = Object.entries<Option>(options).map(([name, option]) => [name, readValue(name, option, given[name])]);
  return { values: Object.fromEntries(values), rest: args.filter((_, index) => !own[index]) };
}

/** For each argument, whether it belongs to one of the options. */
function declaredArguments(args: string[], options: NonNullable<ParseArgsConfig["options"]>): boolean[] {
  const own = args.map(() => false);
  for (const token of parseArgs({ args, options, strict: false, tokens: true }).tokens) {
    if (token.kind !== "option" || !(token.name in options)) continue;
    own.fill(true, token.index, token.index + (token.inlineValue === false ? 2 : 1));
  }
  return own;
}

function readValue(name: string, option: Option, given: unknown): unknown {
  if (option.type === "boolean") return given ?? false;
  if (given === undefined) return option.default;
  if (given === "") throw new Error(`--${name} needs a value.`);
  if (option.type === "number") {
    if (!/^\d+$/.test(String(given))) throw new Error(`--${name} ${given} is not a whole number.`);
    return Number(given);
  }
  if (option.choices?.includes(String(given)) === false) {
    throw new Error(`--${name} must be one of ${option.choices.join(", ")}, not ${given}.`);
  }
  return given;
}
