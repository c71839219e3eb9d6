/** Seconds; generated files change only with a deployment. */
const MAX_AGE = 3600;

export function textResponse(body: string, type: "application/xml" | "text/plain" | "text/markdown"): Response {
  return new Response(body, {
    headers: { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": `public, max-age=${MAX_AGE}` },
  });
}
