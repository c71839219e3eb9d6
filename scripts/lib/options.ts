import { parseArgs } from "node:util";
import { nearest } from "#scripts/lib/nearest.ts";

/** An option of a script. Numbers are whole. */
export type Option =
  | { type: "boolean"; description: string }
  | { type: "number"; value?: string; description: string; default: number }
  | { type: "string"; value: string; description: string; default?: string; choices?: readonly string[] }
  | { type: "list"; value: string; description: string };

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

type Values<Declared extends Options> = {
  [Name in keyof Declared]: Declared[Name] extends { type: "boolean" }
    ? boolean
    : Declared[Name] extends { type: "number" }
      ? number
      : Declared[Name] extends { type: "list" }
        ? string[]
        : Declared[Name] extends { default: string }
          ? string
          : string | undefined;
};

/** The folder of the local database, as an option of a script. */
export const persistToOption = {
  type: "string",
  value: "DIR",
  description: "the folder of the local database",
  default: ".wrangler/state",
} as const satisfies Option;

interface Parsed<Declared extends Options> {
  values: Values<Declared>;
  /** Arguments for the program in {@link Usage.passesTo}, in their order. */
  rest: string[];
}

const HELP: Options = { help: { type: "boolean", description: "show this text" } };

/** Parses the command line. Prints the help text and exits with 0 for `--help`; explains a mistake and exits with 2. */
export function readOptions<const Declared extends Options>(
  usage: Usage<Declared>,
  args = process.argv.slice(2),
): Parsed<Declared> {
  printHelpIfAsked(usage, args);
  try {
    return parseOptions(usage, args);
  } catch (error) {
    refuse(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Explains a mistake in the command line and exits. */
export function refuse({ command }: Pick<Usage, "command">, message: string): never {
  console.error(`${message}\n\nFor help: ${command} -- --help`);
  process.exit(2);
}

/** Prints the help text and exits, if the command line asks for it. */
export function printHelpIfAsked(usage: Usage, args = process.argv.slice(2)): void {
  if (!args.includes("--help") && !args.includes("-h")) return;
  console.log(helpText(usage));
  process.exit(0);
}

function helpText({ command, summary, options, passesTo }: Usage): string {
  const rest = passesTo === undefined ? "" : `\n\nAll other options go to ${passesTo}.`;
  return `${command} [-- options]\n\n${summary}\n\n${optionLines({ ...options, ...HELP })}${rest}`;
}

/** One line per option, with the descriptions aligned. */
export function optionLines(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => [syntax(name, option), describe(option)] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, description]) => `  ${flag.padEnd(width)}   ${description}`).join("\n");
}

function syntax(name: string, option: Option): string {
  if (option.type === "boolean") return `--${name}`;
  return `--${name} ${option.value ?? "NUMBER"}`;
}

function describe(option: Option): string {
  const { description } = option;
  const choices = "choices" in option && option.choices ? `: ${option.choices.join(", ")}` : "";
  return `${description}${choices}${"default" in option ? ` (${option.default})` : ""}`;
}

/** @throws {Error} with a message for the terminal */
export function parseOptions<const Declared extends Options>(
  { options, passesTo }: Pick<Usage<Declared>, "options" | "passesTo">,
  args: string[],
): Parsed<Declared> {
  const known: Options = options;
  const types = Object.entries(known).map(([name, { type }]) => [
    name,
    { type: type === "boolean" ? "boolean" : "string" } as const,
  ]);
  const { tokens } = parseArgs({ args, tokens: true, strict: false, options: Object.fromEntries(types) });
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(known).map(([name, option]) => [name, unset(option)]),
  );
  const own = new Set<number>();
  for (const token of tokens) {
    const option = token.kind === "option" ? known[token.name] : undefined;
    if (token.kind !== "option" || option === undefined) {
      if (passesTo === undefined) throw new Error(describeUnknown(args[token.index] ?? "", known));
      continue;
    }
    own.add(token.index);
    if (token.value !== undefined && !token.inlineValue) own.add(token.index + 1);
    const value = parseValue(token.rawName, token.value, option);
    values[token.name] = option.type === "list" ? [...(values[token.name] as string[]), value] : value;
  }
  return { values: values as Values<Declared>, rest: args.filter((_, index) => !own.has(index)) };
}

function unset(option: Option): unknown {
  if (option.type === "boolean") return false;
  return option.type === "list" ? [] : option.default;
}

function parseValue(flag: string, value: string | undefined, option: Option): unknown {
  if (option.type === "boolean") {
    if (value !== undefined) throw new Error(`${flag} takes no value.`);
    return true;
  }
  if (value === undefined || value === "") throw new Error(`${flag} needs a value.`);
  if (option.type === "number") {
    if (!/^\d+$/.test(value)) throw new Error(`${flag} ${value} is not a whole number.`);
    return Number(value);
  }
  if (option.type === "string" && option.choices?.includes(value) === false) {
    throw new Error(`${flag} must be one of ${option.choices.join(", ")}, not ${value}.`);
  }
  return value;
}

function describeUnknown(argument: string, known: Options): string {
  const flag = argument.split("=")[0] ?? "";
  const meant = nearest(
    flag,
    Object.keys({ ...known, ...HELP }).map((name) => `--${name}`),
  );
  const what = flag.startsWith("-") ? "option" : "argument";
  return `There is no ${what} ${flag}.${meant === null ? "" : ` Did you mean ${meant}?`}`;
}
