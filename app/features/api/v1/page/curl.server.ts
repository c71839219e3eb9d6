import type { ApiRoute } from "#app/features/api/v1/route.server.ts";

/** A request of a route as a command, with the key in a variable. */
export function curlOf({ method, path, scope, body }: ApiRoute, siteUrl: string): string {
  const url = `${siteUrl}/api/v1${path.replace("{id}", "12")}`;
  const lines = [
    method === "get" ? `curl ${url}` : `curl -X ${method.toUpperCase()} ${url}`,
    ...(scope === "public" ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body.example, null, 2)}'`]),
  ];
  return lines.join(" \\\n  ");
}
