/** A text that an owner has typed, for a description in the OpenAPI document. Those are Markdown, in which backticks begin code. */
export function escapeCode(text: string): string {
  return text.replaceAll(/[\\`]/g, "\\$&");
}
