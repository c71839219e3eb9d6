import { readFileSync } from "node:fs";
import { join } from "node:path";
import { variables } from "#app/server/config.server.ts";
import { root } from "#scripts/lib/commands.ts";

/** A file that describes the configuration, as it should read. */
interface ConfigDoc {
  file: string;
  text: string;
}

/** The files made from the descriptions in `app/server/config.server.ts`. */
export function configDocs(): ConfigDoc[] {
  return [
    { file: "README.md", text: withTable(readFileSync(join(root, "README.md"), "utf8")) },
    { file: "deploy.env.example", text: deployEnvExample() },
  ];
}

/** Names of the files that differ from what {@link configDocs} makes. */
export function outdatedConfigDocs(): string[] {
  return configDocs()
    .filter(({ file, text }) => readFileSync(join(root, file), "utf8") !== text)
    .map(({ file }) => file);
}

function withTable(readme: string): string {
  const section = /(<!-- configuration:start -->\n)[\s\S]*(<!-- configuration:end -->)/;
  if (!section.test(readme)) throw new Error("README.md has lost the markers of its configuration table");
  const rows = Object.entries(variables).map(([name, { is, unset, secret }]) => {
    return `| \`${name}\`${secret ? " (secret)" : ""} | ${is} | ${unset ?? "required"} |`;
  });
  const table = ["| variable | meaning | when unset |", "| --- | --- | --- |", ...rows].join("\n");
  return readme.replace(section, (_, start, end) => `${start}${table}\n${end}`);
}

function deployEnvExample(): string {
  const described = Object.entries(variables).map(([name, { is, unset }]) => {
    const about = `# ${is.charAt(0).toUpperCase()}${is.slice(1)}.`;
    return `${about} ${unset === undefined ? "Required." : `Unset: ${unset}.`}\n${name}=\n`;
  });
  return `# What npm run deploy takes to Cloudflare. Copy this file to deploy.env, which git ignores, and fill it in.
# docs/deploying.md says where to get the values. Made by npm run generate:config-docs.
# Leave LINK_SECRET and LINK_SECRET_PREVIOUS empty: npm run deploy writes them. Keep a copy of deploy.env in a safe place.

${described.join("\n")}
# Which Cloudflare account to use, and a token for it. Only needed where npx wrangler login is not possible.
CLOUDFLARE_ACCOUNT_ID=
CLOUDFLARE_API_TOKEN=
`;
}
