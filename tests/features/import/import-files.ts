import { type CsvRow, readCsv, type Separator } from "#app/features/import/file/read-csv.server.ts";

/** Reads a whole file. */
export async function readWholeCsv(content: string | Uint8Array, separator?: Separator) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { columns, chunks } = await readCsv(bytes, separator);
  return { columns, rows: chunks.flatMap((chunk) => JSON.parse(chunk) as CsvRow[]) };
}

/** A text in UTF-16 with a byte order mark, as Excel saves "Unicode text". */
export function utf16(text: string, littleEndian = true): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + at * 2, text.charCodeAt(at), littleEndian);
  return bytes;
}

/** A file with a header and rows `person1@example.com` …, one a line. */
export function peopleCsv(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `person${index + 1}@example.com,2026-10-05,Autumn Fair`);
  return `${["Email,Date of consent,Source", ...rows].join("\r\n")}\r\n`;
}
