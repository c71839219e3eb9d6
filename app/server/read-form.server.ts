/** The fields of a posted form; empty if the body is not a form, which later validation rejects. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}
