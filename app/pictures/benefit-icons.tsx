import type { ReactNode } from "react";

/** Two makers and a host side by side. */
export function CommunityIcon() {
  return (
    <Icon>
      <path className="gold" d="M5 58c-1-16 5-23 13-23s12 6 12 23z" />
      <path className="clay" d="M34 58c0-17 5-23 12-23s14 7 13 23z" />
      <path className="green" d="M19 60c-1-20 4-30 13-30s14 10 13 30z" />
      <circle className="skin" cx="18" cy="25" r="7" />
      <g className="skin-2">
        <circle className="skin" cx="46" cy="25" r="7" />
      </g>
      <g className="skin-3">
        <circle className="skin" cx="32" cy="19" r="8" />
      </g>
      <path
        className="hair"
        d="M23 19c0-14 18-14 18 0-4-6-13-7-18 0zM10 25c0-12 13-12 15-4-4-2-10-2-15 4zM39 21c2-9 15-8 15 4-4-6-10-6-15-4z"
      />
      <path className="pen" d="M26 60c0-8 1-12 3-16M39 60c0-8-1-12-3-16M11 58c0-6 1-9 2-12M53 58c0-6-1-9-2-12" />
    </Icon>
  );
}

/** The sun comes up over an awning: the early hour when stalls are built. */
export function EarlyIcon() {
  return (
    <Icon>
      <path className="gold" d="M12 36a20 20 0 0 1 40 0z" />
      <path className="pen" d="M32 4v6M10 14l4 4M54 14l-4 4M3 33h5M56 33h5" />
      <path className="cloth" d="M12 34h40l8 14a7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14 0z" />
      <path className="clay" d="M12 34h10l-4 14a7 7 0 0 1-14 0zM32 34h10l4 14a7 7 0 0 1-14 0z" />
      <path className="pen" d="M12 34h40l8 14H4zM9 56v5M55 56v5" />
    </Icon>
  );
}

/** Two hands at a potter's wheel. */
export function ShapeIcon() {
  return (
    <Icon>
      <path className="wood" d="M25 54h14l3 8H22z" />
      <path className="cloth" d="M6 52a26 5.5 0 0 1 52 0 26 5.5 0 0 1-52 0z" />
      <path className="clay" d="M22 51c-11-9-9-22 3-27-3-4-3-8-1-12h16c2 4 2 8-1 12 12 5 14 18 3 27z" />
      <path className="hair" d="M24 11a8 3.5 0 0 1 16 0 8 3.5 0 0 1-16 0z" />
      <path className="green" d="M0 29l9 2v13l-9 3zM64 29l-9 2v13l9 3z" />
      <path
        className="skin"
        d="M9 31c6-3 11-2 11 1s-2 3-2 6 1 4-2 6-7 0-7 0zM55 31c-6-3-11-2-11 1s2 3 2 6-1 4 2 6 7 0 7 0z"
      />
      <path className="pen" d="M25 37q3-4 7 0t7 0M6 52a26 5.5 0 0 0 52 0" />
    </Icon>
  );
}

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 64 64" aria-hidden="true">
      {children}
    </svg>
  );
}
