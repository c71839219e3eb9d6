import type { FeatureServer } from "#app/feature.ts";
import { picturesSection } from "#app/features/letters/pictures/section.server.ts";
import { isLetterPath, isListPath } from "#app/features/letters/public/page.ts";
import { findNewestLetter, listPublicLetters } from "#app/features/letters/public/public-letters.server.ts";
import { batchesToSend } from "#app/features/letters/send/cron.server.ts";
import { seriesSection } from "#app/features/letters/series/section.server.ts";
import { lettersSection } from "#app/features/letters/write/section.server.ts";
import { series } from "#app/switches.ts";

export const server: FeatureServer = {
  sections: [lettersSection, ...(series ? [seriesSection] : []), picturesSection],
  /** The pages of the public letters, for the page cache and the sitemap. */
  collection: {
    includes: (path) => isLetterPath(path) || isListPath(path),
    async list(db, limit) {
      const letters = await listPublicLetters(db, limit);
      return letters.map(({ path, date }) => ({ path, lastModified: date.iso }));
    },
    async newest(db) {
      const letter = await findNewestLetter(db);
      return letter && { path: letter.path, title: letter.subject, date: letter.date, firstLine: letter.firstLine };
    },
  },
  batches: batchesToSend,
  // On demand, with the Markdown parser.
  async composeLetter(repeated, context) {
    const { composeRepeated } = await import("#app/features/letters/send/compose-repeated.server.ts");
    return composeRepeated(repeated, context);
  },
};
