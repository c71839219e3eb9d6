import { Picture } from "#app/ui/illustrations/picture.tsx";

/** An awning as a roof over two people. */
export function Logo() {
  return (
    <Picture className="logo" viewBox="0 0 48 48">
      <g fill="var(--logo-host)">
        <circle cx="15.5" cy="26.5" r="4.7" />
        <path d="M5 46c0-9.5 4-13.5 10-13.5 4.2 0 6.5 3 9.3 6.3l-2.6 4.2c-1.7-.8-2.9-1.7-3.9-3V46z" />
      </g>
      <g fill="var(--logo-maker)">
        <circle cx="32.5" cy="26.5" r="4.7" />
        <path d="M43 46c0-9.5-4-13.5-10-13.5-4.2 0-6.5 3-9.3 6.3l2.6 4.2c1.7-.8 2.9-1.7 3.9-3V46z" />
      </g>
      <path
        fill="var(--logo-cloth)"
        d="M10 4h28l8 13.5a5.5 5.5 0 0 1-11 0 5.5 5.5 0 0 1-11 0 5.5 5.5 0 0 1-11 0 5.5 5.5 0 0 1-11 0z"
      />
      <path fill="var(--logo-stripe)" d="M10 4h7l-4 13.5a5.5 5.5 0 0 1-11 0zM24 4h7l4 13.5a5.5 5.5 0 0 1-11 0z" />
    </Picture>
  );
}
