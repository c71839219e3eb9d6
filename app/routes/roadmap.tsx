import { britishDate } from "#app/british-date.ts";
import { appContext } from "#app/context.ts";
import { Timeline } from "#app/roadmap/timeline.tsx";
import { PageMeta } from "#app/seo/page-meta.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import { site } from "#app/site.ts";
import type { Route } from "./+types/roadmap";

/** Today is told by the server: a browser in another time zone would disagree while hydrating. */
export function loader({ context }: Route.LoaderArgs) {
  return { today: britishDate(context.get(appContext).now()) };
}

export default function Roadmap({ loaderData: { today } }: Route.ComponentProps) {
  return (
    <main id="main" className="page roadmap">
      <PageMeta page={sitePages.roadmap} />
      <header className="roadmap-head">
        <h1>Roadmap</h1>
        <p className="lead">
          What is done, what we are working on and what comes next. {site.name} launches {site.launch}.
        </p>
        <p className="roadmap-updated">
          Last updated <time dateTime={today.iso}>{today.text}</time>
        </p>
      </header>
      <Timeline />
    </main>
  );
}
