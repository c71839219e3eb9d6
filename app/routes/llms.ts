import { pageUrl } from "#app/layout/links.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { pages } from "#app/pages.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { currentLaunchSentence } from "#app/server/config/settings.server.ts";
import { appContext } from "#app/server/context.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { launched, site } from "#app/site.ts";
import type { Route } from "./+types/llms";

export function loader({ context }: Route.LoaderArgs) {
  const { config, now } = context.get(appContext);
  return textResponse(llms(config, now()), "text/markdown", "set");
}

/** The body of /llms.txt, a summary of the site for AI assistants. https://llmstxt.org */
function llms({ SITE_URL, CONTACT_EMAIL, LAUNCH_URL }: Config, now: EpochMillis): string {
  const { description } = LAUNCH_URL === undefined ? site : launched;
  const list = pages.map((page) => {
    return `- [${page.title}](${pageUrl(SITE_URL, page)}): ${page.path === "/" ? description : page.description}`;
  });
  return `# ${site.name}

> ${description}

${LAUNCH_URL === undefined ? invitation(now) : `${site.name} is open: ${LAUNCH_URL}\nThe waitlist is closed.`}

## Pages

${list.join("\n")}

## Contact

- [${CONTACT_EMAIL}](mailto:${CONTACT_EMAIL}): the owner reads every email
`;
}

function invitation(now: EpochMillis): string {
  const sentence = currentLaunchSentence(now);
  const launch = sentence === null ? "" : `${sentence} `;
  return `${site.name} isn’t open yet. ${launch}Much of it will always be free. A premium tier will offer more.
The waitlist is for ${site.host.label} and craft ${site.stallholder.many}: they join it with an email address on the landing
page, and become ${site.pioneer.many} with early access. Please ask people before you sign them up.`;
}
