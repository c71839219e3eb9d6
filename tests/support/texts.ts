import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { parseSync } from "@swc/core";

/** A text that people may read: on a page, in an email, on the command line or in the log. */
export interface Text {
  file: string;
  text: string;
}

const SOURCES = ["app/**/*.{ts,tsx}", "worker/**/*.ts", "scripts/**/*.{ts,tsx}"];

/** Attributes and properties that hold code. */
const codeNames = new Set(["className", "d", "viewBox", "transform", "points", "font", "preserveAspectRatio", "media"]);

/** Every text in the source: the content of elements, and strings that read like words. */
export async function collectTexts(): Promise<Text[]> {
  const files = (await Array.fromAsync(glob(SOURCES))).toSorted();
  return files.flatMap((file) => {
    const isTsx = file.endsWith(".tsx");
    const module = parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: isTsx, target: "esnext" });
    return textsOf(module).map((text) => ({ file, text }));
  });
}

function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== "object" || node === null) return [];
  const { type, name, key, value } = node as Record<string, unknown>;
  if (type === "ImportDeclaration" || type === "TsLiteralType") return [];
  if (codeNames.has(nameOf(name)) || codeNames.has(nameOf(key))) return [];
  if (type === "JSXText") return [collapse(String(value))].filter((text) => text !== "");
  if (type === "StringLiteral") return [collapse(String(value))].filter(isWords);
  if (type === "TemplateLiteral") return templateTexts(node as unknown as TemplateNode);
  return Object.values(node).flatMap(textsOf);
}

interface TemplateNode {
  quasis: { cooked: string }[];
  expressions: unknown[];
}

/** The template with its values left out, then the texts inside the values. */
function templateTexts({ quasis, expressions }: TemplateNode): string[] {
  const text = collapse(quasis.map(({ cooked }) => cooked).join("…"));
  return [text].filter(isWords).concat(expressions.flatMap(textsOf));
}

function nameOf(node: unknown): string {
  return typeof node === "object" && node !== null && "value" in node ? String(node.value) : "";
}

/** Words with a space between them, or one word that begins like a label. */
function isWords(text: string): boolean {
  return /[A-Za-z’']{2,}[.,:;]? \S/.test(text) || /^[A-Z][a-z]+$/.test(text);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// `node tests/support/texts.ts` prints all of them, to proofread.
if (import.meta.main) {
  for (const { file, text } of await collectTexts()) console.log(`${file}\t${text}`);
}
