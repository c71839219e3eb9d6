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
        className="pen"
        d="M24 18c0-12 17-12 17 1-4-5-10-7-17-1zM11 23c2-9 11-8 13-2M39 23c3-8 13-7 14 2M26 60c0-8 1-12 3-16M39 60c0-8-1-12-3-16"
      />
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
      <path className="cloth" d="M6 50q26-7 52 0-4 9-26 9T6 50z" />
      <path className="clay" d="M23 50c-9-12-7-20 0-26-2-4-2-7 0-10h18c2 3 2 6 0 10 7 6 9 14 0 26z" />
      <path
        className="skin"
        d="M3 40c3-9 9-13 15-12 3 1 3 4 0 5-3 1-4 4-3 8zM61 40c-3-9-9-13-15-12-3 1-3 4 0 5 3 1 4 4 3 8z"
      />
      <path
        className="pen"
        d="M22 14q10 4 20 0M25 25q7 3 14 0M22 36q10 4 20 0M6 50q26-7 52 0-4 9-26 9T6 50zM3 40c3-9 9-13 15-12M61 40c-3-9-9-13-15-12"
      />
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
