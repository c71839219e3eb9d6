import type { LoaderFunctionArgs } from "react-router";
import { lettersFeed } from "#app/features/letters/public/feed.server.ts";
import { listPublicLetters } from "#app/features/letters/public/public-letters.server.ts";
import { appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import { site } from "#app/site.ts";

/** Seconds. */
const MAX_AGE = 600;

export async function loader({ context }: LoaderFunctionArgs) {
  const { config, db, now } = context.get(appContext);
  try {
    const feed = lettersFeed(config.SITE_URL, await listPublicLetters(db), site.name, now());
    return new Response(feed, {
      headers: { "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": `public, max-age=${MAX_AGE}` },
    });
  } catch (error) {
    logError("letters-feed-failed", error);
    return new Response("The letters cannot be read right now.\n", {
      status: 503,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}
