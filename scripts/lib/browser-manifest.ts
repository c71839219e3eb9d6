import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const START = "window.__reactRouterManifest=";

interface Manifest {
  routes: Record<string, { hasDefaultExport: boolean }>;
}

/**
 * Shortens the manifest that hydrated pages download: without the routes that render nothing, such as /robots.txt, which
 * are never navigated to on the client, and without the flags that are false.
 */
export function shortenManifest(buildFolder: string): void {
  const [file, ...others] = globSync(join(buildFolder, "client/assets/manifest-*.js"));
  if (file === undefined || others.length > 0) throw new Error("The build has no manifest, or several");
  const source = readFileSync(file, "utf8");
  if (!source.startsWith(START)) throw new Error(`${file} does not start with ${START}`);
  const manifest: Manifest = JSON.parse(source.slice(START.length).replace(/;$/, ""));
  const pages = Object.entries(manifest.routes).filter(([, route]) => route.hasDefaultExport);
  const short = { ...manifest, routes: Object.fromEntries(pages) };
  writeFileSync(file, `${START}${JSON.stringify(short, (_, value) => (value === false ? undefined : value))};`);
}
