import routes from "../../../app/routes.ts?raw";
import api from "../../../worker/api.ts?raw";

const owner = Object.values(
  import.meta.glob<string>("../../../app/{features,owner}/**/section.server.ts", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join("\n");
const features = Object.values(
  import.meta.glob<string>("../../../app/features/*/feature{,.server}.ts", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).join("\n");

/** Paths of every route, with parameters such as `:token`. Read from the source, so that new ones are included. */
export const entryPoints = {
  pages: [...find(routes, /route\("([^"*]+)"/g), ...find(features, /path: "([^"*]+)", file/g)],
  api: [
    ...find(api, /\.route\("([^"]+)"/g).map((path) => `/api${path}`),
    ...find(features, /app\.\w+\("(\/api\/[^"*]+?)\/?\*?"/g),
  ],
  owner: find(owner, /path: "([^"]+)"/g).map((path) => `/owner${path}`),
};

/** The path with its parameters replaced. */
export function fillIn(path: string, parameters: Record<"token" | "id" | "name", string>): string {
  return path.replace(/:(\w+)(?:\{[^}]*\})?/g, (whole, name) => parameters[name as keyof typeof parameters] ?? whole);
}

function find(source: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(source.matchAll(pattern), ([, path = ""]) => path))];
}
