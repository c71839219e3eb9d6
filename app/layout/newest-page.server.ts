import type { AppContext, NewestPage } from "#app/server/context.ts";

/** The newest page of those that come from the database, such as a letter; null if there is none. */
export async function findNewestPage({ db, collections }: AppContext): Promise<NewestPage | null> {
  for (const { newest } of collections) {
    const page = await newest(db);
    if (page !== null) return page;
  }
  return null;
}
