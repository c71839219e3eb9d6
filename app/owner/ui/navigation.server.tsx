import { createContext, useContext } from "react";
import { Button } from "#app/owner/ui/actions.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

/** The sections of the owner's pages, in order. */
export const Sections = createContext<readonly Pick<OwnerSection, "section" | "link" | "styles">[]>([]);

/** The sections, in the header. */
export function Navigation({ current }: { current: string }) {
  return (
    <>
      <nav className="owner-places" aria-label="Owner">
        <ul className="bare-list">
          {useContext(Sections).map(({ section, link }) =>
            link === undefined ? null : (
              <li key={section}>
                <a href={link.href} aria-current={section === current ? "page" : undefined}>
                  {link.name}
                </a>
              </li>
            ),
          )}
        </ul>
      </nav>
      <form method="post" action="/owner/sign-out">
        <Button label="Sign out" />
      </form>
    </>
  );
}

interface PagingProps {
  /** For a page with several lists. */
  label?: string;
  links: Record<string, string | false | null | undefined>;
}

/** Links to other pages of a list, by their names; nothing if it has one page. */
export function Paging({ label = "Pages", links }: PagingProps) {
  const shown = Object.entries(links).filter(([, href]) => href);
  if (shown.length === 0) return null;
  return (
    <nav className="row" aria-label={label}>
      {shown.map(([name, href]) => (
        <a key={name} className="quiet-link" href={href || undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

interface PillsProps {
  label: string;
  className?: string;
  links: { text: string; href: string; isCurrent: boolean }[];
}

/** Links to variants of a page, of which one is shown. */
export function Pills({ label, className, links }: PillsProps) {
  return (
    <nav className={className === undefined ? "pills" : `pills ${className}`} aria-label={label}>
      <ul className="row">
        {links.map(({ text, href, isCurrent }) => (
          <li key={`${text} ${href}`}>
            <a href={href} aria-current={isCurrent ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
