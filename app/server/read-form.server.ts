/** The fields of a posted form. A body that is no form is a form without fields, which the checks after it answer. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}
