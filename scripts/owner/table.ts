import { stripVTControlCharacters } from "node:util";

/**
 * Formats rows as aligned lines, numbers to the right, without control characters, which could control the terminal.
 *
 * @param rows the first is the header
 */
export function tableLines(rows: (string | number | null)[][]): string[] {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row, line) =>
    row
      .map((text, column) =>
        typeof rows[line === 0 ? 1 : line]?.[column] === "number"
          ? text.padStart(widths[column] ?? 0)
          : text.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** Removes control characters; an empty value becomes a dash. */
export function printable(value: string | number | null): string {
  if (value === null || value === "") return "-";
  if (typeof value === "number") return value.toLocaleString("en-GB", { useGrouping: false });
  return stripVTControlCharacters(value).replace(/[\p{Cc}\p{Cf}]/gu, "");
}

/** `2026-11-21 14:05` in this machine's time zone. */
export function formatTime<T extends number | null>(time: T): T extends null ? null : string;
export function formatTime(time: number | null): string | null {
  if (time === null) return null;
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}
