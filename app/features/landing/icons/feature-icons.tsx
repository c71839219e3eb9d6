import type { ReactNode } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** A date ringed on a calendar, beside a map pin. */
export function MatchingIcon() {
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
export function AdminIcon() {
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
export function TrustIcon() {
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

function ChalkIcon({ children }: { children: ReactNode }) {
  return (
    <Picture className="icon chalk-icon" viewBox="0 0 64 64">
      {children}
    </Picture>
  );
}
