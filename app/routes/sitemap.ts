import { sitemap } from "#app/layout/seo/sitemap.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { pages } from "#app/pages.server.ts";
import { type AppContext, appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import type { Route } from "./+types/sitemap";

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return textResponse(sitemap(app.config.SITE_URL, [...pages, ...(await collectedPages(app))]), "application/xml");
}

/** None if the database fails: search engines keep the pages that they know. */
async function collectedPages({ db, collections }: AppContext) {
  try {
    return (await Promise.all(collections.map(({ list }) => list(db)))).flat();
  } catch (error) {
    logError("sitemap-incomplete", error);
    return [];
  }
}
