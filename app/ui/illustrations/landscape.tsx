/* What large drawings stand in. Not with the parts, which every visitor of the landing page downloads. */

/** The origin is its foot. */
export function Tree({ at }: { at: string }) {
  return (
    <g transform={at}>
      <path className="limb sleeve wood" d="M0-40V0" />
      <path fill="var(--leaf)" d="M-6-22c-40 2-50-32-28-48-10-34 34-50 50-24 34-8 48 28 24 44 12 24-18 36-46 28z" />
      <path className="pen soft" d="M-20-52q6 8 14 6M8-68q6 8 14 4M4-40q6 6 14 2" />
    </g>
  );
}

export function Cloud({ at }: { at: string }) {
  return (
    <path
      className="day"
      fill="var(--raised)"
      d="M8 0C-10 0-6-18 8-16c0-20 26-22 32-6 12-12 30-2 28 12 16-4 20 10 8 10z"
      transform={at}
    />
  );
}
