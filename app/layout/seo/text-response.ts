/** Of what changes only with a deployment or a new letter, and of what owners can change (seconds). */
const MAX_AGE = { deployed: 3600, set: 60 } as const;

export function textResponse(
  body: string,
  type: "application/xml" | "text/plain" | "text/markdown",
  kind: keyof typeof MAX_AGE = "deployed",
): Response {
  return new Response(body, {
    headers: { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": `public, max-age=${MAX_AGE[kind]}` },
  });
}
