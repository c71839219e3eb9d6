import type { ReactElement, ReactNode } from "react";
import { Icon } from "#app/ui/illustrations/icon.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** Two makers and a host side by side. */
function CommunityIcon() {
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
function EarlyIcon() {
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
function ShapeIcon() {
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

/** A date ringed on a calendar, beside a map pin. */
function MatchingIcon() {
  return (
    <ChalkIcon>
      <path className="gold" d="M8 14h34v9H8z" />
      <path className="clay" d="M46 26c8 0 12 6 12 12 0 8-8 14-12 22-4-8-12-14-12-22 0-6 4-12 12-12z" />
      <path className="pen" d="M30 50H8V12h34v10M8 23h26M16 8v8M34 8v8M15 31h4M25 31h3M15 40h4" />
      <circle className="pen" cx="46" cy="38" r="4" />
    </ChalkIcon>
  );
}

/** A form, signed. */
function AdminIcon() {
  return (
    <ChalkIcon>
      <path className="green" d="M12 12h34v12H12z" />
      <path className="gold" d="m40 46 14-20 6 4-14 20-7 4z" />
      <path
        className="pen"
        d="M40 58H10V12h38v10M22 12c0-8 14-8 14 0v4H22zM18 28h20M18 36h14M16 50c4-8 6-8 5-2s3 4 5 0 3 1 5 1M40 46l14-20 6 4-14 20-7 4z"
      />
    </ChalkIcon>
  );
}

/** The rosette for the best stall. */
function TrustIcon() {
  return (
    <ChalkIcon>
      <path className="clay" d="m22 38-8 22 9-4 5 7 6-20zM42 38l8 22-9-4-5 7-6-20z" />
      <path className="gold" d="M32 4l7 5 9 1 2 8 5 7-5 7-2 8-9 1-7 5-7-5-9-1-2-8-5-7 5-7 2-8 9-1z" />
      <path
        className="pen"
        d="M32 4l7 5 9 1 2 8 5 7-5 7-2 8-9 1-7 5-7-5-9-1-2-8-5-7 5-7 2-8 9-1zM25 25l5 6 10-11M17 43l-5 15M47 43l5 15"
      />
    </ChalkIcon>
  );
}

/** A clipboard with two ticks. */
function SurveyIcon() {
  return (
    <Icon>
      <path className="green" d="M10 12h44v46H10z" />
      <path fill="var(--raised)" d="M15 17h34v36H15z" />
      <path className="gold" d="M23 6h18v11H23z" />
      <path className="pen" d="M10 12h44v46H10zM23 6h18v11H23zM20 28l3 3 5-6M20 42l3 3 5-6M34 29h10M34 43h10" />
    </Icon>
  );
}

/** A megaphone, as the crier of a market has it. */
function ShareIcon() {
  return (
    <Icon>
      <path className="clay" d="M8 26h12v16H8z" />
      <path className="gold" d="M20 26 46 12v44L20 42z" />
      <path fill="var(--cloth)" d="M16 42h10l4 15H20z" />
      <path className="pen" d="M8 26h12v16H8zM20 26 46 12v44L20 42M17 42l3 15h10l-4-12M53 25l6-4M54 34h7M53 43l6 4" />
    </Icon>
  );
}

/** A letter with a seal. */
function LetterIcon() {
  return (
    <Icon>
      <path fill="var(--raised)" d="M6 16h52v36H6z" />
      <path className="pen" d="M6 16h52v36H6zM6 16l26 20 26-20M6 52l18-20M58 52 40 32" />
      <circle className="clay" cx="32" cy="37" r="8" />
      <path className="pen" d="M28 37l3 3 5-6" />
    </Icon>
  );
}

/** A steaming mug on a saucer. */
function CoffeeIcon() {
  return (
    <Icon>
      <path className="clay" d="M14 26h30v16c0 8-5 12-15 12S14 50 14 42z" />
      <path className="gold" d="M8 54h42l-5 6H13z" />
      <path
        className="pen"
        d="M14 26h30v16c0 8-5 12-15 12S14 50 14 42zM44 29c14-2 14 18-1 16M8 54h42l-5 6H13zM22 19c-3-5 3-6 0-12M34 19c-3-5 3-6 0-12"
      />
    </Icon>
  );
}

function ChalkIcon({ children }: { children: ReactNode }) {
  return (
    <Picture className="icon chalk-icon" viewBox="0 0 64 64">
      {children}
    </Picture>
  );
}

/** `npm run generate:images` puts them into one file, public/icons.svg, each with a view of its name. */
export const icons = {
  community: <CommunityIcon />,
  early: <EarlyIcon />,
  shape: <ShapeIcon />,
  matching: <MatchingIcon />,
  admin: <AdminIcon />,
  trust: <TrustIcon />,
  survey: <SurveyIcon />,
  share: <ShareIcon />,
  letter: <LetterIcon />,
  coffee: <CoffeeIcon />,
} satisfies Record<string, ReactElement>;
