/** The fields of a posted form; empty if the body is not a form, which later validation rejects. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}

/** The text of a field, without spaces around it; empty if the field is missing or a file. */
export function fieldText(fields: { get(name: string): unknown }, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}
