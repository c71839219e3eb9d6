import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { FeedLink } from "#app/features/letters/public/feed-link.tsx";
import { LetterBody } from "#app/features/letters/public/letter-body.tsx";
import { lettersPage } from "#app/features/letters/public/page.ts";
import { findPublicLetter, type PublicLetter } from "#app/features/letters/public/public-letters.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext, articleContext } from "#app/server/context.ts";
import { site } from "#app/site.ts";
import { PageLink } from "#app/ui/page-link.tsx";

export const handle = { page: lettersPage };

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { db, config } = context.get(appContext);
  const letter = await findPublicLetter(db, params["id"] ?? "", config.SITE_URL);
  if (letter === null) throw data(null, { status: 404 });
  const { path, subject: headline, sentAt: published } = letter;
  context.set(articleContext, { path, headline, description: describe(letter), published });
  return letter;
}

function describe({ previewLine, date }: Pick<PublicLetter, "previewLine" | "date">): string {
  return previewLine || `A letter that ${site.name} sent to the people on its waitlist on ${date.text}.`;
}

export default function Letter() {
  const loaderData = useLoaderData<typeof loader>();
  const { path, subject, date, sentAt, blocks } = loaderData;
  const page = { ...lettersPage, path, title: `${subject} | ${site.name}`, description: describe(loaderData) };
  return (
    <main id="main" className="prose">
      <PageMeta page={page} published={sentAt} />
      <FeedLink />
      <p className="back-home">
        <PageLink className="button button-quiet" to="/letters">
          All letters
        </PageLink>
      </p>
      <article key={path}>
        <h1>{subject}</h1>
        <p className="muted">
          Sent <time dateTime={date.iso}>{date.text}</time>
        </p>
        <div className="letter-body">
          <LetterBody blocks={blocks} />
        </div>
      </article>
    </main>
  );
}
