import type { ListedLetter } from "#app/features/letters/public/public-letters.server.ts";
import { PageLink } from "#app/ui/page-link.tsx";

/** @param letters newest first; null if they could not be read */
export function LetterList({ letters }: { letters: ListedLetter[] | null }) {
  if (letters === null) return <p>The letters cannot be shown right now. Please try again in a minute.</p>;
  if (letters.length === 0) return <p>We have not sent a letter yet. The first will appear here.</p>;
  return (
    <ul className="bare-list letters-list">
      {letters.map(({ path, subject, previewLine, date }) => (
        <li key={path}>
          <h2>
            <PageLink to={path}>{subject}</PageLink>
          </h2>
          <p className="muted">
            <time dateTime={date.iso}>{date.text}</time>
          </p>
          {previewLine === "" ? null : <p>{previewLine}</p>}
        </li>
      ))}
    </ul>
  );
}
