import { Icon } from "#app/ui/illustrations/icon.tsx";

/** A clipboard with two ticks. */
export function SurveyIcon() {
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
export function ShareIcon() {
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
export function LetterIcon() {
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
export function CoffeeIcon() {
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
