import {
  answerTo,
  choices,
  days,
  distances,
  type FairDates,
  fairs,
  makers,
} from "#app/features/landing/product/example-fairs.ts";
import { SlipMap } from "#app/features/landing/product/slip-map.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

export interface MatchSlipProps {
  fairDates: FairDates;
  isLaunched: boolean;
}

/**
 * What a stallholder could be shown: an example, and captioned as one. Every answer is in the page, and match-answers.css shows
 * the one to what is chosen. The radio buttons belong to no form, so they are sent nowhere.
 */
export function MatchSlip({ fairDates, isLaunched }: MatchSlipProps) {
  return (
    <div className="match">
      <div className="match-choice">
        <Choices legend="I make" name="slip-craft" options={Object.keys(makers)} />
        <Choices
          legend="I’ll travel"
          name="slip-miles"
          options={distances.map((miles) => `${miles} miles`)}
          first={1}
        />
        <Choices legend="and I’m free on" name="slip-day" options={days} />
      </div>
      <figure className="slip">
        <div className="slip-paper">
          {Object.entries(fairs).map(([id, { name, place, miles, day }]) => (
            <div key={id} className={`fair ${id}`}>
              <h3>{name}</h3>
              <p>
                <span>{place}</span>
                <br />
                <span>{fairDates[day]}</span>
                <br />
                <span>{`${miles} miles away`}</span>
              </p>
            </div>
          ))}
          <SlipMap />
          <ul className="bare-list">
            {verdicts.map(({ id, isGood, title, reason }) => (
              <li key={id} className={isGood ? id : `no ${id}`}>
                <strong>{title}</strong>
                <span>{` ${reason}`}</span>
              </li>
            ))}
          </ul>
          {isLaunched ? null : (
            <p>
              <PageLink className="quiet-link" to="#join">
                Join, and we’ll tell you when real fairs arrive
              </PageLink>
            </p>
          )}
        </div>
        <figcaption className="muted">An example: these fairs are invented</figcaption>
      </figure>
    </div>
  );
}

/** Each once: by day, distance and craft. */
const verdicts = ([0, 1, 2] as const).flatMap((nth) => [
  ...new Map(choices.map((choice) => answerTo(choice).verdicts[nth]).map((verdict) => [verdict.id, verdict])).values(),
]);

interface ChoicesProps {
  legend: string;
  name: string;
  options: readonly string[];
  /** Which one is chosen at first. */
  first?: number;
}

function Choices({ legend, name, options, first = 0 }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map((option, index) => (
        <label key={option}>
          <input type="radio" name={name} value={option} defaultChecked={index === first} />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}
