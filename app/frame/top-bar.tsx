import { useEffect, useRef } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { Logo } from "#app/pictures/logo.tsx";
import { site } from "#app/site.ts";
import "#app/frame/top-bar.css";

const pages = [
  { to: "/", name: "Home" },
  { to: "/roadmap", name: "Roadmap" },
  { to: "/survey", name: "Survey" },
];

/**
 * The fixed bar. On narrow screens the links are a popover, which opens, closes and answers Escape without any
 * script; what is left to do here is to close it once a link in it has been followed.
 */
export function TopBar() {
  const menu = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is new with every navigation.
  useEffect(() => {
    if (menu.current?.matches?.(":popover-open")) menu.current.hidePopover();
  }, [key]);

  return (
    <header className="bar">
      <button className="bar-menu" type="button" popoverTarget="menu">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7.5q8-1.5 16 0M4 12.5q8-1.5 16 0M4 17.5q8-1.5 16 0" />
        </svg>
        <span>Menu</span>
      </button>
      <Link className="bar-home" to="/" viewTransition>
        <Logo />
        <span className="bar-name">{site.name}</span>
      </Link>
      <nav className="bar-links" id="menu" popover="auto" aria-label="Main" ref={menu}>
        <ul>
          {pages.map(({ to, name }) => (
            <li key={to}>
              <NavLink to={to} end viewTransition>
                {name}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <Link className="button bar-join" to="/#join" viewTransition>
        Join Waitlist
      </Link>
    </header>
  );
}
