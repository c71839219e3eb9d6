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

/** Licences that ask for no more than their own text to be kept. */
const WELCOME = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Unlicense"];

const places = { client: "browser", ssr: "Worker" } as const;

/** Of this package's font a part is drawn into app/ui/fonts, see `npm run fonts`. */
const FONT = "@fontsource-variable/fraunces";

/**
 * Everything by others that a visitor's browser or the Worker runs, out of the bundles of the last build.
 *
 * @throws when a licence is missing or asks for more than {@link WELCOME} ones do
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

/** The list as a page of the documentation. */
export function productionList(packages: ProductionPackage[]): string {
  const rows = packages.map(({ name, version, licence, runsIn }) => [name, version, licence, runsIn.join(", ")]);
  const table = [["package", "version", "licence", "runs in"], Array(4).fill("---"), ...rows];
  return `# What runs in production

Code and fonts by others in the Worker and in what browsers get, taken from the bundles of a build, unused packages left
out. Made by \`npm run licences\`; a test says when it is out of date. The tools that build and test the site do not run
in production and are not listed.

${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

function describe(name: string, runsIn: string[]): ProductionPackage {
  const { version, license } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  if (!WELCOME.includes(license)) throw new Error(`${name} has the licence ${license}, which nobody has looked at.`);
  return { name, version, licence: license, runsIn };
}
