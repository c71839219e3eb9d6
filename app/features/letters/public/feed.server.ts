import { lettersPage } from "#app/features/letters/public/page.ts";
import type { ListedLetter } from "#app/features/letters/public/public-letters.server.ts";
import { escapeXml } from "#app/server/xml.ts";

/**
 * The body of the letters' Atom feed. https://www.rfc-editor.org/rfc/rfc4287
 *
 * @param letters newest first
 * @param author the name of the site
 * @param now milliseconds since 1970: when the feed changed, if there is no letter yet
 */
export function lettersFeed(siteUrl: string, letters: ListedLetter[], author: string, now: number): string {
  const page = siteUrl + lettersPage.path;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">
  <id>${escapeXml(page)}</id>
  <title>${escapeXml(lettersPage.title)}</title>
  <subtitle>${escapeXml(lettersPage.description)}</subtitle>
  <link href="${escapeXml(page)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(siteUrl + lettersPage.feed)}"/>
  <updated>${letters[0]?.sentAt ?? new Date(now).toISOString()}</updated>
  <author><name>${escapeXml(author)}</name></author>
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
