const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * A text in an element or an attribute. Characters that XML cannot express are left out: one would make the whole document
 * unreadable. https://www.w3.org/TR/xml/#charsets
 */
export function escapeXml(text: string): string {
  return text.replace(
    /[&<>"]|[^\P{Cc}\t\n\r]|[\p{Cs}\p{Noncharacter_Code_Point}]/gu,
    (character) => entities[character] ?? "",
  );
}
