import { visibleText } from "#tests/support/pool/built-page.ts";

/** What only those who run the site know: names of parameters, settings, commands and plans. */
const technical =
  /\butm_\w*|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:npm run|npx|wrangler) \S+|\bWorkers (?:Paid|plan)|\b(?:free|paid) plan\b|\bD1\b/g;

/** Addresses of pages. Their random tokens may look like the name of a setting. */
const addresses = /https?:\/\/\S+/g;

/** Technical words of an owner's page outside its lines that begin with "Advanced:", and outside addresses of pages. */
export function technicalWords(html: string): string[] {
  const plain = html.replace(/<p class="hint advanced">Advanced: .*?<\/p>/gs, "");
  return visibleText(plain).replace(addresses, "").match(technical) ?? [];
}

/** The same of an email's text, whose paragraphs stand apart. */
export function technicalWordsIn(text: string): string[] {
  const paragraphs = text.split("\n\n").filter((paragraph) => !paragraph.startsWith("Advanced: "));
  return paragraphs.join("\n\n").replace(addresses, "").match(technical) ?? [];
}
