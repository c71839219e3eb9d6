import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { linksIn } from "#app/layout/pages.ts";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { StillFor } from "#app/ui/still.tsx";

const links = linksIn("header");

/**
 * The fixed bar. On narrow screens the links are a popover, which opens, closes and answers Escape without any
 * script; what is left to do here is to close it once a link in it has been followed.
 */
export function Header() {
  const menu = useRef<HTMLElement>(null);
  const { key, pathname } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    // The application may start while the menu is open, which then stays so.
    if (shown.current === key) return;
    shown.current = key;
    if (menu.current?.matches?.(":popover-open")) menu.current.hidePopover();
  }, [key]);
  const current = links.find(({ to }) => to === pathname.toLowerCase())?.to;
  return <StillFor as="header" className="bar" of={Bar} facts={{ current }} handlers={{ menu }} />;
}

interface BarProps {
  /** The page that is shown, if it is one of the bar's. */
  current: string | undefined;
  menu: RefObject<HTMLElement | null>;
}

function Bar({ current, menu }: BarProps) {
  return (
    <>
      <button className="bar-menu" type="button" popoverTarget="menu">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7.5q8-1.5 16 0M4 12.5q8-1.5 16 0M4 17.5q8-1.5 16 0" />
        </svg>
        <span>Menu</span>
      </button>
      <PageLink className="bar-home" to="/">
        <Logo />
        <span className="bar-name">{site.name}</span>
      </PageLink>
      <nav className="bar-links" id="menu" popover="auto" aria-label="Main" ref={menu}>
        <ul>
          {links.map(({ to, name }) => (
            <li key={to}>
              <PageLink to={to} aria-current={to === current ? "page" : undefined}>
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <PageLink className="button bar-join" to={current === "/" ? "#join" : "/#join"}>
        Join Waitlist
      </PageLink>
    </>
  );
}
