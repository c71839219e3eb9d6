import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** Files that may contain colours, and why. */
const exceptions: Record<string, string> = {
  "app/ui/theme.ts": "the palette",
  "app/ui/print.css": "print is black on white under any palette",
};

const hexColour = /(?:#|%23)(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b/gi;
/** Black shadows are no part of a palette. `color-mix()` fails in the oldest supported browsers. */
const colourFunction = /\b(?:rgba?|hsla?|hwb|oklab|oklch|color-mix)\((?!\)|0 0 0 \/)/gi;
const colourName =
  /(?<![\w-])(?:white|black|gr[ae]y|silver|red|maroon|orange|yellow|gold|green|olive|teal|blue|navy|purple|brown|pink)(?![\w-])/gi;

/** The colours outside app/ui/theme.ts, as `file:line: colour`. */
export function strayColours(): string[] {
  return globSync("{app,worker,scripts}/**/*.{ts,tsx,css,mjs}", { cwd: root })
    .filter((file) => !(file in exceptions))
    .sort()
    .flatMap((file) => coloursIn(file, readFileSync(join(root, file), "utf8")));
}

/** @param file the name, whose ending tells CSS from TypeScript */
export function coloursIn(file: string, text: string): string[] {
  const isCss = file.endsWith(".css");
  return text.split("\n").flatMap((line, index) => {
    const named = isCss ? declaredValue(line) : attributeValues(line);
    const found = [hexColour, colourFunction].flatMap((pattern) => [...line.matchAll(pattern)]);
    return [...found, ...named.matchAll(colourName)].map(([colour]) => `${file}:${index + 1}: ${colour}`);
  });
}

/** The value of a declaration, without custom properties such as `var(--gold)`. */
function declaredValue(line: string): string {
  return line.match(/^\s*[\w-]+:(.*)/)?.[1] ?? "";
}

/** The values of SVG's colour attributes and of inline styles. */
function attributeValues(line: string): string {
  return [...line.matchAll(/\b(?:fill|stroke|stopColor|color|backgroundColor|background)(?:=|: )"([^"]*)"/g)]
    .map(([, value]) => value)
    .join(" ");
}
