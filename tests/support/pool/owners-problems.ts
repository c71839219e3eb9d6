/** The sentences beside refused fields of an owner's page, by the field's id. */
export function problemsOf(html: string): Record<string, string> {
  const found = html.matchAll(/<(?:p|div)[^>]*id="([\w-]+)-problem"[^>]*>(.*?)<\/(?:p|div)>/g);
  return Object.fromEntries(Array.from(found, ([, id = "", text = ""]) => [id, text.replace(/<[^>]+>/g, "")]));
}
