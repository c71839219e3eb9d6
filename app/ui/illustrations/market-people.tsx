import { Part } from "#app/ui/illustrations/parts.tsx";

// People at the large stalls, in the units of a stall, whose maker stands at 38.

/** Behind the counter, holding a pot out past the pole. */
export function Potter() {
  return (
    <g className="clay skin-3">
      <g transform="translate(38 -6)">
        <circle fill="var(--hair)" cx="-4" cy="-112" r="6" />
        <Part name="body" />
        <path fill="var(--cloth)" d="M-8-86h3l1 9H8l1-9h3l3 50h-26z" />
        <g transform="translate(3)">
          <Part name="face" />
        </g>
      </g>
      <path className="limb sleeve" d="M28-84 40-72M52-84 64-74" />
      <path className="limb arm" d="M40-72 82-80M64-74 84-84" />
    </g>
  );
}

/** Beside the stall, taking the pot. */
export function Customer() {
  return (
    <g className="gold skin-2" transform="translate(126 0)">
      <Part name="body" />
      <g transform="translate(-4)">
        <Part name="face" />
      </g>
      <path fill="var(--hair)" d="M-2-106c10-6 18 4 14 22-2 8-8 6-8 0z" />
      <path className="limb sleeve" d="M-13-80-22-70M14-80l5 22" />
      <path className="limb arm" d="M-22-70-29-82M19-56v8" />
      <path fill="var(--cloth)" d="M9-44h20l3 26H6z" />
      <path className="pen" d="M12-44q7-16 14 0" />
    </g>
  );
}

/** What is handed over. */
export function HandedPot() {
  return (
    <>
      <path className="green" d="M82-80c-9-10-6-18 1-23h16c7 5 10 13 1 23z" />
      <path className="pen" d="M82-103h18M79-92h24" />
    </>
  );
}

/** Behind the counter, waving. */
export function Florist() {
  return (
    <g className="green skin-2">
      <g transform="translate(38 -6)">
        <Part name="body" />
        <path fill="var(--cloth)" d="M-8-86h3l1 9H8l1-9h3l3 50h-26z" />
        <path fill="var(--hair)" d="M-9-94q9 8 19 0-1 13-9 13t-10-13z" />
        <g transform="translate(3)">
          <Part name="face" />
        </g>
      </g>
      <path className="limb sleeve" d="M52-84 63-78M26-84l-4 12" />
      <path className="limb arm" d="M63-78 68-98" />
    </g>
  );
}

/** Beside the stall, with a clipboard and a raised hand. */
export function Host() {
  return (
    <g className="green" transform="translate(130 0)">
      <Part name="body" />
      <g transform="translate(-4)">
        <Part name="face" />
      </g>
      <path className="gold" d="M-18-102q18-7 36 0-18 5-36 0zM-10-104c0-14 20-14 20 0z" />
      <path className="limb sleeve" d="M-13-80-25-80" />
      <path className="limb arm" d="M-26-81-32-99" />
      <path className="limb sleeve" d="M15-80 19-64" />
      <path fill="var(--wood)" d="m-12-76 20 3-4 29-20-3z" />
      <path fill="var(--cloth)" d="m-10-73 15 2-3 24-15-2z" />
      <path className="pen fine" d="m-8-66 9 1M-9-60l9 1M-10-54l6 1" />
      <path className="limb arm" d="M19-62 5-56" />
    </g>
  );
}
