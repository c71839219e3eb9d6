import { Part } from "#app/ui/illustrations/parts.tsx";

// People at the large stalls, in the units of a stall, whose maker stands at 38.

/** Behind the counter, holding a pot out past the pole. */
export function Potter() {
  return (
    <g className="clay skin-3">
      <g transform="translate(36 -6)">
        <circle fill="var(--hair)" cx="-4" cy="-113" r="6.5" />
        <Part name="body" />
        <Apron />
        <Part name="smile" at="translate(3)" />
      </g>
      <path className="limb arm" d="M40-72 80-80M64-73 82-83" />
      <path className="limb hand" d="M83-81h0" />
      <path className="limb sleeve" d="M26-84 38-73M50-84 62-75" />
    </g>
  );
}

/** Beside the stall, taking the pot. */
export function Customer() {
  return (
    <g className="gold skin-2" transform="translate(122 0)">
      <Part name="body" />
      <Part name="smile" at="translate(-4)" />
      <path fill="var(--hair)" d="M-2-107c12-6 20 6 16 24-2 8-9 7-9-1z" />
      <path className="green" d="M-11-88q11 7 22 0l1 5q-12 8-24 0z" />
      <path className="limb arm" d="M-21-71-22-82" />
      <path className="limb hand" d="M-22-83h0" />
      <path className="limb sleeve" d="M-13-80-20-71" />
      <path className="pen soft" d="M-11-73v20M11-74q3 14 3 26" />
      <g className="from-576">
        <path className="limb arm" d="M19-56v6" />
        <path className="limb sleeve" d="M14-80l5 22" />
        <path className="pen" d="M12-40q0-10 7-10t7 10" />
        <path fill="var(--cloth)" d="M8-42h22l3 26H5z" />
        <path className="clay" d="M19-24c-8-6-8-12-4-12q3 0 4 3 1-3 4-3c4 0 4 6-4 12z" />
      </g>
    </g>
  );
}

export function HandedPot() {
  return (
    <>
      <path className="green" d="M82-79c-8-10-6-18 0-23h16c6 5 8 13 0 23z" />
      <path className="pen" d="M81-103h18M78-92h24" />
    </>
  );
}

/** Behind the counter, waving. */
export function Florist() {
  return (
    <g className="green skin-2">
      <g transform="translate(38 -6)">
        <Part name="body" />
        <Apron />
        <path fill="var(--hair)" d="M-10-95q1 4 4 2 6-3 12 0 3 2 4-2 1 15-10 15t-10-15z" />
        <Part name="smile" at="translate(3)" />
      </g>
      <path className="limb arm" d="M62-76 68-96" />
      <path className="limb hand" d="M69-99h0" />
      <path className="limb sleeve" d="M52-84 61-75M25-84l-4 14" />
    </g>
  );
}

/** Beside the stall, with a clipboard and a raised hand. */
export function Host() {
  return (
    <g className="green" transform="translate(122 0)">
      <Part name="body" />
      <Part name="smile" at="translate(-4)" />
      <path className="gold" d="M-18-102q18-7 36 0-18 5-36 0zM-10-104c0-14 20-14 20 0z" />
      <path className="pen soft" d="M-10-104q10-3 20 0" />
      <path className="pen gold line" d="M-5-87l4 12M5-87-1-75" />
      <path className="limb arm" d="M-24-79-29-95" />
      <path className="limb hand" d="M-30-98h0" />
      <path className="limb sleeve" d="M-13-80-23-77M15-80l5 16" />
      <path fill="var(--wood)" d="m-12-72 20 3-4 29-20-3z" />
      <path fill="var(--cloth)" d="m-10-69 15 2-3 24-15-2z" />
      <path className="pen fine" d="m-8-62 9 1M-9-56l9 1M-10-50l6 1" />
      <path className="limb arm" d="M19-61 7-54" />
    </g>
  );
}

function Apron() {
  return <path fill="var(--cloth)" d="M-8-87h3l1 10H8l1-10h3l3 50h-26z" />;
}
