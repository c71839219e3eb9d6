import { useEffect, useRef } from "react";
import { useLocation, useMatches } from "react-router";
import type { NavigationLink } from "#app/layout/links.ts";
import type { PageHandle } from "#app/layout/styles/critical-styles.server.ts";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";

/**
 * The fixed header. On narrow screens the links are a popover, which opens and closes without JavaScript, except that
 * client-side navigation must close it.
 */
export function Header({ links }: { links: readonly NavigationLink[] }) {
  const launch = useRootData()?.launch;
  const menu = useRef<HTMLElement>(null);
  const { key, pathname } = useLocation();
  const previousKey = useRef(key);
  useEffect(() => {
    // A menu that was opened before hydration stays open.
    if (previousKey.current === key) return;
    previousKey.current = key;
    if (menu.current?.matches?.(":popover-open")) menu.current.hidePopover();
  }, [key]);
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  const current = pathname.toLowerCase();
  return (
    <header className="bar">
      <button className="bar-menu" type="button" popoverTarget="menu">
        <svg className="pen" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7.5q8-1.5 16 0M4 12.5q8-1.5 16 0M4 17.5q8-1.5 16 0" />
        </svg>
        <span className="visually-hidden">Menu</span>
      </button>
      <PageLink className="bar-home" to="/">
        <Logo />
        <span translate="no">{site.name}</span>
      </PageLink>
      <nav className="bar-links" id="menu" popover="auto" aria-label="Main" ref={menu}>
        <ul className="bare-list">
          {links.map(({ to, name }) => (
            <li key={to}>
              <PageLink to={to} aria-current={to === current ? "page" : undefined}>
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      {launch ? (
        <a className="button bar-join" href={launch.url}>
          {launch.shortButton}
        </a>
      ) : handle?.hidesJoin ? null : (
        <PageLink className="button bar-join" to={current === "/" ? "#join" : "/#join"}>
          Join Waitlist
        </PageLink>
      )}
    </header>
  );
}
