import { Icon } from "#app/ui/illustrations/icon.tsx";

/** Two makers and a host side by side. */
export function CommunityIcon() {
  return (
    <Icon>
      <path className="gold" d="M5 58c-1-16 5-23 13-23s12 6 12 23z" />
      <path className="clay" d="M34 58c0-17 5-23 12-23s14 7 13 23z" />
      <path className="green" d="M19 60c-1-20 4-30 13-30s14 10 13 30z" />
      <circle fill="var(--skin)" cx="18" cy="25" r="7" />
      <g className="skin-2">
        <circle fill="var(--skin)" cx="46" cy="25" r="7" />
      </g>
      <g className="skin-3">
        <circle fill="var(--skin)" cx="32" cy="19" r="8" />
      </g>
      <path
        fill="var(--hair)"
        d="M23 19c0-14 18-14 18 0-4-6-13-7-18 0zM10 25c0-12 13-12 15-4-4-2-10-2-15 4zM39 21c2-9 15-8 15 4-4-6-10-6-15-4z"
      />
      <path className="pen" d="M26 60c0-8 1-12 3-16M39 60c0-8-1-12-3-16M11 58c0-6 1-9 2-12M53 58c0-6-1-9-2-12" />
    </Icon>
  );
}

/** Sunrise over an awning, when stalls are set up. */
export function EarlyIcon() {
  return (
    <Icon>
      <path className="gold" d="M12 36a20 20 0 0 1 40 0z" />
      <path className="pen" d="M32 4v6M10 14l4 4M54 14l-4 4M3 33h5M56 33h5" />
      <path fill="var(--cloth)" d="M12 34h40l8 14a7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14 0z" />
      <path className="clay" d="M12 34h10l-4 14a7 7 0 0 1-14 0zM32 34h10l4 14a7 7 0 0 1-14 0z" />
      <path className="pen" d="M12 34h40l8 14H4zM9 56v5M55 56v5" />
    </Icon>
  );
}

/** A half-drawn stall. */
export function ShapeIcon() {
  return (
    <Icon>
      <path className="gold" d="M12 12h10l-4 15a7 7 0 0 1-14 0z" />
      <path fill="var(--cloth)" d="M22 12h10v15a7 7 0 0 1-14 0z" />
      <path className="green" d="M7 44h24v8H7z" />
      <path className="pen" d="M10 36v24M7 44h24" />
      <path
        className="pen"
        d="M32 12h20l8 15a7 7 0 0 1-14 0 7 7 0 0 1-14 0M54 36v6M31 44h12M10 60h24"
        strokeDasharray="5 5"
      />
      <path className="clay" d="M56 40l6 5-15 16-8 2 2-7z" />
      <path className="pen" d="M41 56l6 5M39 63h-1" />
    </Icon>
  );
}
