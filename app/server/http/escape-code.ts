/** Escapes an owner’s text for a description in the OpenAPI document, which is Markdown: backticks begin code there. */
export function escapeCode(text: string): string {
  return text.replaceAll(/[\\`]/g, "\\$&");
}
