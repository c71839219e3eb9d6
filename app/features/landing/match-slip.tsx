/** What a stallholder could be shown: a sample, and captioned as one. @param props.date - in the future, as text */
export function MatchSlip({ date }: { date: string }) {
  return (
    <figure className="slip">
      <div className="card slip-paper">
        <h3>The Riverside Makers’ Market</h3>
        <p>
          Frome, Somerset
          <br />
          <span>{date}</span>
        </p>
        <ul className="bare-list">
          <li>
            <strong>You’re free</strong> It’s on one of your days.
          </li>
          <li>
            <strong>It’s near</strong> It’s within the distance you travel.
          </li>
          <li>
            <strong>It fits</strong> They need pottery and have room for your stall.
          </li>
        </ul>
      </div>
      <figcaption className="muted">What a match could look like</figcaption>
    </figure>
  );
}
