import type { AppContext, NewestPage } from "#app/server/context.ts";

/** The newest page of those that come from the database, such as a letter; null if there is none. */
export async function findNewestPage({ db, collections }: AppContext): Promise<NewestPage | null> {
  for (const { newest } of collections) {
    const page = await newest(db);
    if (page !== null) return page;
  }
  return null;
}

/** Whether any page comes from the database. Cheaper than reading the newest one. @public for the roadmap, which can be removed */
export async function hasCollectedPage({ db, collections }: AppContext): Promise<boolean> {
  for (const { list } of collections) if ((await list(db, 1)).length > 0) return true;
  return false;
}
