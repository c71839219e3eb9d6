import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { FeedLink } from "#app/features/letters/public/feed-link.tsx";
import { LetterLine } from "#app/features/letters/public/letter-line.tsx";
import { isListPath, lettersPage, listPath } from "#app/features/letters/public/page.ts";
import { type ListedLetter, readLetterList } from "#app/features/letters/public/public-letters.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import { site } from "#app/site.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";

export const handle = { page: lettersPage };

export async function loader({ context, params: { number } }: LoaderFunctionArgs) {
  if (number !== undefined && !isListPath(`/letters/page/${number}`)) throw data(null, { status: 404 });
  const page = Number(number ?? 1);
  // Null if the database fails.
  const list = await readLetterList(context.get(appContext).db, page).catch((error: unknown) => {
    logError("letters-failed", error);
    return null;
  });
  if (page > 1 && list?.letters.length === 0) throw data(null, { status: 404 });
  return data({ page, letters: null, hasOlder: false, ...list }, { status: list === null ? 503 : 200 });
}

export default function Letters() {
  const { page, letters, hasOlder } = useLoaderData<typeof loader>();
  const heading = page === 1 ? "Letters" : `Letters, page ${page}`;
  const record = { ...lettersPage, path: listPath(page), title: `${heading} | ${site.name}` };
  return (
    <main id="main">
      <PageMeta page={record} />
      <FeedLink />
      <LetterLine />
      <div className="prose letters">
        <BackHome />
        <h1>{heading}</h1>
        <p className="lead">
          What <SiteName /> has written to the people on its waitlist.
        </p>
        <LetterList letters={letters} />
        {page === 1 && !hasOlder ? null : (
          <nav className="letters-pages" aria-label="Pages">
            {page === 1 ? null : <PagingLink to={listPath(page - 1)} rel="prev" text="Newer letters" />}
            {hasOlder ? <PagingLink to={listPath(page + 1)} rel="next" text="Older letters" /> : null}
          </nav>
        )}
        <p className="letters-feed">
          <a className="quiet-link" href={lettersPage.feed}>
            Follow by feed (Atom)
          </a>
        </p>
      </div>
    </main>
  );
}

function PagingLink({ text, ...link }: { to: `/${string}`; rel: "prev" | "next"; text: string }) {
  return (
    <PageLink className="quiet-link" {...link}>
      {text}
    </PageLink>
  );
}

/** @param letters newest first; null if they could not be read */
function LetterList({ letters }: { letters: ListedLetter[] | null }) {
  if (letters === null) return <p>The letters can’t be shown right now. Please try again in a minute.</p>;
  if (letters.length === 0) return <p>We haven’t sent a letter yet. The first will appear here.</p>;
  return (
    <ul className="bare-list letters-list">
      {letters.map(({ path, subject, previewLine, date }) => (
        <li key={path}>
          <p className="muted">
            <time dateTime={date.iso}>{date.text}</time>
          </p>
          <h2>
            <PageLink to={path}>{subject}</PageLink>
          </h2>
          {previewLine === "" ? null : <p>{previewLine}</p>}
        </li>
      ))}
    </ul>
  );
}
