import { Command, InvalidArgumentError } from "commander";

/**
 * A script's command line. A mistake in it exits with 2.
 *
 * @param call how to call the script, such as `npm run soak`
 */
export function program(call: string, summary: string): Command {
  return new Command(`${call} --`)
    .description(summary)
    .helpOption("--help", "show this text")
    .showHelpAfterError(`\nFor help: ${call} -- --help`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Parses the value of an option. */
export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}

/** Checks the value of an option that is an http or https address. */
export function webAddress(value: string): string {
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? "")) return value;
  throw new InvalidArgumentError("It must be an address such as https://example.com.");
}

/** Checks the value of any other option. */
export function text(value: string): string {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}
