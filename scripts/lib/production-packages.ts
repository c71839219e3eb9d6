import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, bundles } from "#scripts/lib/bundled-packages.ts";
import { root } from "#scripts/lib/commands.ts";

interface ProductionPackage {
  name: string;
  version: string;
  /** SPDX identifier. */
  licence: string;
  runsIn: string[];
}

export const PRODUCTION_LIST = join(root, "docs", "production-dependencies.md");

/** Licences that only require their text to be included. */
const ALLOWED_LICENCES = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Unlicense"];

const places = { client: "browser", ssr: "Worker" } as const;

/** `npm run generate:font` copies a subset of this package's font to app/ui/fonts. */
const FONT = "@fontsource-variable/fraunces";

/**
 * Third-party packages that browsers or the Worker run, from the bundles of the last build.
 *
 * @throws when a licence is missing or not in {@link ALLOWED_LICENCES}
 */
export function productionPackages(): ProductionPackage[] {
  const found = new Map<string, string[]>([[FONT, [places.client]]]);
  for (const bundle of bundles) {
    for (const name of bundledPackages(bundle)) found.set(name, [...(found.get(name) ?? []), places[bundle]]);
  }
  return [...found]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, runsIn]) => describe(name, runsIn));
}

/** The list as a Markdown page. */
export function productionList(packages: ProductionPackage[]): string {
  const rows = packages.map(({ name, version, licence, runsIn }) => [name, version, licence, runsIn.join(", ")]);
  const table = [["package", "version", "licence", "runs in"], Array(4).fill("---"), ...rows];
  return `# Production dependencies

Third-party code and fonts in the Worker and in browsers, from the bundles of a build, without unused packages. Generated
by \`npm run generate:licences\`; a test fails when it is out of date. The tools that build and test the site do not run in
production and are not listed.

${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

function describe(name: string, runsIn: string[]): ProductionPackage {
  const { version, license } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  if (!ALLOWED_LICENCES.includes(license)) throw new Error(`${name} has an unapproved licence: ${license}`);
  return { name, version, licence: license, runsIn };
}
