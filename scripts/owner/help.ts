import { optionLines } from "#scripts/lib/options.ts";
import type { Command } from "#scripts/owner/command.ts";

/** Options of every command. */
export const commonOptions = {
  remote: { type: "boolean", description: "use the deployed waitlist" },
  "persist-to": { type: "string", description: "use the local waitlist in this folder (default: .wrangler/state)" },
  help: { type: "boolean", description: "show this help" },
} as const satisfies Command["options"];

export function overview(commands: Record<string, Command>): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(27)} ${summary}`);
  return `npm run owner -- COMMAND [options]

${lines.join("\n")}

${describeOptions(commonOptions)}

For help on a command: npm run owner -- COMMAND --help`;
}

export function commandHelp({ usage, summary, options }: Command): string {
  return `npm run owner -- ${usage} [options]

${summary}

${describeOptions({ ...options, ...commonOptions })}`;
}

function describeOptions(options: Command["options"]): string {
  return optionLines(
    Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { value: "VALUE", ...option }])),
  );
}
