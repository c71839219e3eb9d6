import { appContext } from "#app/context.ts";
import { sitemap } from "#app/layout/seo/sitemap.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { listPublicLetters } from "#app/pages/letters/public-letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError } from "#app/server/log.ts";
import { letters as hasLetters } from "#app/switches.ts";
import type { Route } from "./+types/sitemap";

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  return textResponse(sitemap(config.SITE_URL, await letterPages(db)), "application/xml");
}

/** Without the letters if the database fails: search engines keep the pages that they know. */
async function letterPages(db: Db) {
  if (!hasLetters) return [];
  try {
    const letters = await listPublicLetters(db);
    return letters.map(({ path, date }) => ({ path, lastModified: date.iso }));
  } catch (error) {
    logError("sitemap-without-letters", error);
    return [];
  }
}
