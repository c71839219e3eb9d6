/** What a stallholder could be shown: a sample, and captioned as one. */
const sample = {
  event: "The Riverside Makers’ Market",
  place: "Frome, Somerset",
  reasons: [
    { title: "You’re free", text: "It’s on one of your days." },
    { title: "It’s near", text: "It’s within the distance you travel." },
    { title: "It fits", text: "They need pottery and have room for your stall." },
  ],
} as const;

/** @param props.date - in the future, as text */
export function MatchSlip({ date }: { date: string }) {
  return (
    <figure className="slip">
      <div className="card slip-paper">
        <h3>{sample.event}</h3>
        <p>
          {sample.place}
          <br />
          <span>{date}</span>
        </p>
        <ul className="bare-list">
          {sample.reasons.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong> <span>{text}</span>
            </li>
          ))}
        </ul>
      </div>
      <figcaption className="muted">What a match could look like</figcaption>
    </figure>
  );
}
