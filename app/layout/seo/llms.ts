import { pageUrl } from "#app/layout/links.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isPastLaunch, launched, site } from "#app/site.ts";

interface Options {
  pages: readonly PageRecord[];
  siteUrl: string;
  contactEmail: string;
  /** Undefined before the launch. */
  launchUrl: string | undefined;
  now: EpochMillis;
}

/** The body of /llms.txt, a summary of the site for AI assistants. https://llmstxt.org */
export function llms({ pages, siteUrl, contactEmail, launchUrl, now }: Options): string {
  const { description } = launchUrl === undefined ? site : launched;
  const list = pages.map((page) => {
    return `- [${page.title}](${pageUrl(siteUrl, page)}): ${page.path === "/" ? description : page.description}`;
  });
  return `# ${site.name}

> ${description}

${launchUrl === undefined ? invitation(now) : `${site.name} is open: ${launchUrl}\nThe waitlist is closed.`}

## Pages

${list.join("\n")}

## Contact

- [${contactEmail}](mailto:${contactEmail}): the owner reads every email
`;
}

function invitation(now: EpochMillis): string {
  const launch = site.launch === null || isPastLaunch(now) ? "" : `${site.launch} `;
  return `${site.name} is not open yet. ${launch}Much of it will always be free. A premium tier will offer more.
The waitlist is for ${site.host.label} and craft ${site.stallholder.many}: they join it with an email address on the landing
page, and become ${site.pioneer.many} with early access. Please ask people before you sign them up.`;
}
