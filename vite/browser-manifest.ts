import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const START = "window.__reactRouterManifest=";

/**
 * Shortens the route manifest that hydrated pages download, to what React Router reads in the browser. Without:
 *
 * - routes that render nothing, such as /robots.txt, since no client-side navigation leads to them;
 * - flags that are false, and empty lists of stylesheets;
 * - the imports of routes, which it only preloads, and pages have no preloads.
 */
export function shortenManifest(buildFolder: string): void {
  const [file, ...others] = globSync(join(buildFolder, "client/assets/manifest-*.js"));
  if (file === undefined || others.length > 0) throw new Error("The build has no manifest, or several");
  const source = readFileSync(file, "utf8");
  if (!source.startsWith(START)) throw new Error(`${file} does not start with ${START}`);
  const manifest: { routes: Record<string, Record<string, unknown>> } = JSON.parse(
    source.slice(START.length).replace(/;$/, ""),
  );
  const pages = Object.entries(manifest.routes).filter(([, route]) => route["hasDefaultExport"] === true);
  const routes = Object.fromEntries(pages.map(([id, route]) => [id, shortenRoute(route)]));
  writeFileSync(file, `${START}${JSON.stringify({ ...manifest, routes })};`);
}

function shortenRoute(route: Record<string, unknown>) {
  const kept = Object.entries(route).filter(([name, value]) => {
    if (name === "css") return Array.isArray(value) && value.length > 0;
    return name !== "imports" && name !== "hasDefaultExport" && value !== false;
  });
  return Object.fromEntries(kept);
}
