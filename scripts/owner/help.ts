import type { Command } from "#scripts/owner/command.ts";

/** Options that every command takes. */
export const commonOptions = {
  remote: { type: "boolean", means: "the deployed waitlist" },
  "persist-to": { type: "string", means: "the local waitlist in this folder, as with npm start (.wrangler/state)" },
  help: { type: "boolean", means: "this text" },
} as const satisfies Command["options"];

export function overview(commands: Record<string, Command>): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(27)} ${summary}`);
  return `npm run owner -- COMMAND [options]

${lines.join("\n")}

${optionLines(commonOptions)}

Options of a command: npm run owner -- COMMAND --help`;
}

export function commandHelp({ usage, summary, options }: Command): string {
  return `npm run owner -- ${usage} [options]

${summary}

${optionLines({ ...options, ...commonOptions })}`;
}

function optionLines(options: Command["options"]): string {
  return Object.entries(options)
    .map(([name, { type, means }]) => `  ${`--${name}${type === "string" ? " VALUE" : ""}`.padEnd(20)} ${means}`)
    .join("\n");
}
