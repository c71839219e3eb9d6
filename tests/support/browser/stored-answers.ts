import type { RunningSite } from "#scripts/lib/running-site.ts";

/** The answers stored with an address, by the question's key. */
export async function storedAnswers(site: RunningSite, address: string): Promise<Record<string, string> | null> {
  const entry = (await site.rows("waitlist_emails")).find(({ email }) => email === address);
  return JSON.parse(String(entry?.["answers"] ?? null));
}
