import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

interface ProductionPackage {
  name: string;
  version: string;
  /** SPDX identifier. */
  licence: string;
  runsIn: string[];
}

export const PRODUCTION_LIST = join(root, "docs", "production-dependencies.md");

/** `npm run generate:font` copies a subset of this package's font to app/ui/fonts. */
const FONT = join("node_modules", "@fontsource-variable", "fraunces", "package.json");

/** Third-party packages that browsers or the Worker run, by name, from the lists that Vite wrote in the last build. */
export function productionPackages(): ProductionPackage[] {
  const packages = new Map<string, ProductionPackage>();
  const add = (place: string, { name, version, identifier: licence }: BundledPackage) => {
    const runsIn = [...(packages.get(name)?.runsIn ?? []), place];
    packages.set(name, { name, version, licence, runsIn });
  };
  const { name, version, license } = readJson(FONT);
  add("browser", { name, version, identifier: license });
  for (const bundled of readJson("build/client/licences.json")) add("browser", bundled);
  for (const bundled of readJson("build/server/licences.json")) add("Worker", bundled);
  return [...packages.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** An entry of Vite's list. */
interface BundledPackage {
  name: string;
  version: string;
  identifier: string;
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
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
