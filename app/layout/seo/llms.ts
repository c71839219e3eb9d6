import { pages, pageUrl } from "#app/layout/pages.ts";
import { site } from "#app/site.ts";

/** The body of /llms.txt, a summary of the site for AI assistants. https://llmstxt.org */
export function llms(siteUrl: string, contactEmail: string): string {
  const list = pages.map((page) => `- [${page.title}](${pageUrl(siteUrl, page)}): ${page.description}`);
  return `# ${site.name}

> ${site.description}

${site.name} is not open yet. We are aiming to launch ${site.launch}. Much of it will always be free. A premium tier will offer more.
The waitlist is for ${site.host.label} and craft ${site.stallholder.many}: they join it with an email address on the landing
page, and become ${site.pioneer.many} with early access. Please ask people before you sign them up.

## Pages

${list.join("\n")}

## Contact

- [${contactEmail}](mailto:${contactEmail}): the owner reads every email
`;
}
