import { isLetterPath, isListPath } from "#app/features/letters/public/page.ts";
import { listPublicLetters } from "#app/features/letters/public/public-letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

/** The pages of the public letters, for the page cache and the sitemap. */
export const letterPages = {
  includes: (path: string) => isLetterPath(path) || isListPath(path),
  async list(db: Db) {
    const letters = await listPublicLetters(db);
    return letters.map(({ path, date }) => ({ path, lastModified: date.iso }));
  },
  async newest(db: Db) {
    const [letter] = await listPublicLetters(db, 1);
    return letter === undefined ? null : { path: letter.path, title: letter.subject, date: letter.date };
  },
};
