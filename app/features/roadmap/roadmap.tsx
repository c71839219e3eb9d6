import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { roadmapPage } from "#app/features/roadmap/page.ts";
import { Timeline } from "#app/features/roadmap/timeline.tsx";
import { findNewestPage } from "#app/layout/newest-page.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import { readForPage } from "#app/server/http/read-for-page.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import { site } from "#app/site.ts";
import { letters } from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";

export const handle = { page: roadmapPage };

/** The server provides today's date: a browser in another time zone could differ, which would break hydration. */
export async function loader({ context }: LoaderFunctionArgs) {
  const app = context.get(appContext);
  const letter = await readForPage(app, "letter", () => findNewestPage(app));
  return { today: britishDate(app.now()), hasLetters: letter !== null };
}

export default function Roadmap() {
  const { today, hasLetters } = useLoaderData<typeof loader>();
  const launch = useRootData()?.launch;
  return (
    <main id="main" className="prose page">
      <PageMeta page={roadmapPage} />
      <header>
        <h1>Roadmap</h1>
        <p className="lead">
          {"What is done, what we are working on and what comes next. "}
          <span>{launch === undefined ? site.launch : launch.lead}</span>
        </p>
        <p className="muted">
          Last updated <time dateTime={today.iso}>{today.text}</time>
        </p>
      </header>
      <Timeline isLaunched={launch !== undefined} />
      {letters && hasLetters ? (
        <p>
          Read the <PageLink to="/letters">letters</PageLink> we have sent to our waitlist.
        </p>
      ) : null}
    </main>
  );
}
