/** Signs up through the API and returns the status. */
export async function signUp(url: string, email: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/api/signup`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ email }),
  });
  await response.arrayBuffer();
  return response.status;
}
