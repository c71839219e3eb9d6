import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

export function downloadCsv(c: OwnerContext, fileName: string, content: ReadableStream<Uint8Array>) {
  return c.body(content, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
}
