import { createContext, useContext } from "react";
import { Button } from "#app/owner/ui/actions.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const Sections = createContext<readonly Pick<OwnerSection, "section" | "link" | "styles">[]>([]);

/** The sections, in the header: of a group its first one, under the group's name if there are others. */
export function Navigation({ current }: { current: string }) {
  const sections = useLinks();
  const groups = Map.groupBy(sections, ({ name, group = name }) => group);
  return (
    <>
      <nav className="tabs owner-places" aria-label="Owner">
        <ul className="bare-list">
          {Array.from(groups, ([name, members]) => (
            <li key={name}>
              <a
                href={members[0]?.href}
                aria-current={members.some(({ section }) => section === current) ? "page" : undefined}
              >
                {members.length === 1 ? members[0]?.name : name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action="/owner/sign-out">
        <Button label="Sign out" />
      </form>
    </>
  );
}

export function GroupLinks({ current }: { current: string | undefined }) {
  const sections = useLinks();
  const group = sections.find(({ section }) => section === current)?.group;
  const links = sections
    .filter((section) => section.group === group)
    .map(({ section, name, href }) => ({ text: name, href, isCurrent: section === current }));
  return group === undefined || links.length === 1 ? null : <Pills label={group} links={links} />;
}

function useLinks() {
  return useContext(Sections).flatMap(({ section, link }) => (link ? [{ section, ...link }] : []));
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
      <ul className="bare-list row">
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
