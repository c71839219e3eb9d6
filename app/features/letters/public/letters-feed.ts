import type { LoaderFunctionArgs } from "react-router";
import { lettersPage } from "#app/features/letters/public/page.ts";
import { type ListedLetter, listPublicLetters } from "#app/features/letters/public/public-letters.server.ts";
import { appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { escapeXml } from "#app/server/xml.ts";
import { site } from "#app/site.ts";

const MAX_AGE_SECONDS = 600;

export async function loader({ context }: LoaderFunctionArgs) {
  const { config, db, now } = context.get(appContext);
  try {
    const feed = lettersFeed(config.SITE_URL, await listPublicLetters(db), now());
    return new Response(feed, {
      headers: {
        "Content-Type": "application/atom+xml; charset=utf-8",
        "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}`,
      },
    });
  } catch (error) {
    logError("letters-feed-failed", error);
    return new Response("The letters cannot be read right now.\n", {
      status: 503,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/**
 * The body of the letters' Atom feed. https://www.rfc-editor.org/rfc/rfc4287
 *
 * @param letters newest first
 * @param now when the feed changed, if there is no letter yet
 */
function lettersFeed(siteUrl: string, letters: ListedLetter[], now: EpochMillis): string {
  const page = siteUrl + lettersPage.path;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">
  <id>${escapeXml(page)}</id>
  <title>${escapeXml(lettersPage.title)}</title>
  <subtitle>${escapeXml(lettersPage.description)}</subtitle>
  <link href="${escapeXml(page)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(siteUrl + lettersPage.feed)}"/>
  <updated>${letters[0]?.sentAt ?? new Date(now).toISOString()}</updated>
  <author><name>${escapeXml(site.name)}</name></author>
${letters.map((letter) => entry(siteUrl, letter)).join("")}</feed>
`;
}

function entry(siteUrl: string, { path, subject, previewLine, sentAt }: ListedLetter): string {
  const url = escapeXml(siteUrl + path);
  return `  <entry>
    <id>${url}</id>
    <title>${escapeXml(subject)}</title>
    <link href="${url}"/>
    <published>${sentAt}</published>
    <updated>${sentAt}</updated>
${previewLine === "" ? "" : `    <summary>${escapeXml(previewLine)}</summary>\n`}  </entry>
`;
}
