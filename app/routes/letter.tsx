import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { appContext } from "#app/context.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { LetterBody } from "#app/pages/letters/letter-body.tsx";
import { lettersPage } from "#app/pages/letters/page.ts";
import { findPublicLetter } from "#app/pages/letters/public-letters.server.ts";
import { site } from "#app/site.ts";
import { PageLink } from "#app/ui/page-link.tsx";

export const handle = { page: lettersPage };

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { db, config } = context.get(appContext);
  const letter = await findPublicLetter(db, params["id"] ?? "", config.SITE_URL);
  if (letter === null) throw data(null, { status: 404 });
  return letter;
}

export default function Letter() {
  const loaderData = useLoaderData<typeof loader>();
  const { path, subject, previewLine, date, blocks } = loaderData;
  const description = previewLine || `A letter that ${site.name} sent to the people on its waitlist on ${date.text}.`;
  return (
    <main id="main" className="prose">
      <PageMeta page={{ ...lettersPage, path, title: `${subject} | ${site.name}`, description }} />
      <p className="back-home">
        <PageLink className="button button-quiet" to="/letters">
          All letters
        </PageLink>
      </p>
      <article>
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
