import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { appContext } from "#app/context.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { FeedLink } from "#app/pages/letters/feed-link.tsx";
import { LetterList } from "#app/pages/letters/letter-list.tsx";
import { lettersPage } from "#app/pages/letters/page.ts";
import { listPublicLetters } from "#app/pages/letters/public-letters.server.ts";
import { logError } from "#app/server/log.ts";
import { site } from "#app/site.ts";
import { BackHome } from "#app/ui/back-home.tsx";

export const handle = { page: lettersPage };

export async function loader({ context }: LoaderFunctionArgs) {
  try {
    return data({ letters: await listPublicLetters(context.get(appContext).db) });
  } catch (error) {
    logError("letters-failed", error);
    return data({ letters: null }, { status: 503 });
  }
}

export default function Letters() {
  const { letters } = useLoaderData<typeof loader>();
  return (
    <main id="main" className="prose">
      <PageMeta page={lettersPage} />
      <FeedLink />
      <BackHome />
      <h1>Letters</h1>
      <p className="lead">What {site.name} has written to the people on its waitlist.</p>
      <LetterList letters={letters} />
    </main>
  );
}
