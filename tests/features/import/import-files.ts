import { type CsvRow, readCsv } from "#app/features/import/file/read-csv.server.ts";

/** Bytes of a file, in pieces of a given size. */
export async function* pieces(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a whole file. */
export async function readWholeCsv(content: string | Uint8Array, pieceSize?: number) {
  const { columns, rows } = await readCsv(pieces(content, pieceSize));
  const all: CsvRow[] = [];
  for await (const portion of rows) all.push(...portion);
  return { columns, rows: all };
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
