// On the ground of the market.

export function Crate() {
  return (
    <g transform="translate(-52 0)">
      <ellipse className="soft" fill="var(--pen)" rx="34" ry="4" />
      <path className="gold" d="M-20-24q-2-14 6-16h8q6 4 4 16z" />
      <path fill="var(--cloth)" d="M0-24q-6-12 2-22h12q8 10 2 22z" />
      <path className="pen" d="M1-46h14" />
      <path fill="var(--wood)" d="M-28-27h56L24 1h-48z" />
      <path className="pen soft" d="M-26-18h52M-25-9h50" />
    </g>
  );
}

export function Buckets() {
  return (
    <g transform="translate(-44 2)">
      <ellipse className="soft" fill="var(--pen)" rx="44" ry="4" />
      <path fill="var(--leaf)" d="M-32-20c-12-16 0-34 14-34s24 18 12 34zM8-18c-10-14 0-28 12-28s20 14 10 28z" />
      <path className="bloom clay" d="M-28-40h0M-12-34h0M14-34h0" />
      <path className="bloom cloth" d="M-18-48h0M24-38h0M-24-28h0" />
      <path fill="var(--slate)" d="M-34-26h30l-4 26h-22zM6-22h26L28 0H10z" />
      <path className="pen soft" d="M-33-19h28M7-15h24" />
    </g>
  );
}

export function Dog() {
  return (
    <g transform="translate(768 380)">
      <ellipse className="soft" fill="var(--pen)" cx="2" rx="20" ry="3" />
      <path className="limb sleeve wood" d="M-9-14v12M10-14v12" />
      <path fill="var(--wood)" d="M-14-24h22l-2-10q0-5 5-4l8 5 6 1q2 6-6 8 0 14-8 15h-20q-6-6-5-15z" />
      <path className="pen wood" d="M-13-22q-8-4-6-12" />
      <path className="pen" d="M8-24q5 3 8 1M15-32h0" />
    </g>
  );
}
