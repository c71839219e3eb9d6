/*
 * What the slip answers. The fairs are invented. match-answers.css shows the answer to each choice: change the two together, a
 * test compares them.
 */

export const makers = { pottery: "potters", jewellery: "jewellers", bakes: "bakers", prints: "printmakers" } as const;
export const distances = [10, 25, 50] as const;
export const days = ["Saturday", "Sunday"] as const;

type Craft = keyof typeof makers;
type Day = (typeof days)[number];

/** As text, such as `Saturday 12 June 2027`. */
export type FairDates = Record<Day, string>;

export interface Choice {
  craft: Craft;
  /** How far the stallholder travels. */
  miles: (typeof distances)[number];
  day: Day;
}

interface Fair {
  name: string;
  place: string;
  /** As the map has it. */
  miles: number;
  day: Day;
  /** What it has pitches for. */
  crafts: Craft[];
}

export const fairs = {
  riverside: {
    name: "The Riverside Makers’ Market",
    place: "Frome, Somerset",
    miles: 19,
    day: "Saturday",
    crafts: ["pottery"],
  },
  meadow: {
    name: "The Long Meadow Fair",
    place: "Chipping Sodbury, Gloucestershire",
    miles: 9,
    day: "Saturday",
    crafts: ["jewellery", "bakes"],
  },
  orchard: {
    name: "The Orchard Craft Fair",
    place: "Nailsea, Somerset",
    miles: 8,
    day: "Sunday",
    crafts: ["pottery", "prints"],
  },
  sheepfold: {
    name: "The Sheepfold Summer Fair",
    place: "Cirencester, Gloucestershire",
    miles: 32,
    day: "Sunday",
    crafts: ["bakes"],
  },
} satisfies Record<string, Fair>;

type FairId = keyof typeof fairs;

const nearestFairs: Record<Craft, Record<Day, FairId>> = {
  pottery: { Saturday: "riverside", Sunday: "orchard" },
  jewellery: { Saturday: "meadow", Sunday: "orchard" },
  bakes: { Saturday: "meadow", Sunday: "sheepfold" },
  prints: { Saturday: "orchard", Sunday: "orchard" },
};

/** Whether a fair suits in one respect, and why. `id` is the class of its text. */
export interface Verdict {
  id: string;
  isGood: boolean;
  title: string;
  reason: string;
}

export interface Answer {
  fair: FairId;
  /** The day, the distance and the craft. */
  verdicts: [Verdict, Verdict, Verdict];
}

export const choices: Choice[] = Object.keys(makers).flatMap((craft) =>
  days.flatMap((day) => distances.map((miles) => ({ craft: craft as Craft, day, miles }))),
);

export function answerTo({ craft, miles, day }: Choice): Answer {
  const id = nearestFairs[craft][day];
  const fair: Fair = fairs[id];
  return {
    fair: id,
    verdicts: [
      fair.day === day
        ? { id: "free", isGood: true, title: "You’re free", reason: "It’s on the day you’re free." }
        : { id: "busy", isGood: false, title: "You’re not free", reason: `It’s on ${fair.day}, not ${day}.` },
      fair.miles <= miles
        ? { id: "near", isGood: true, title: "It’s near", reason: "It’s within the distance you travel." }
        : {
            id: `far-${fair.miles}-${miles}`,
            isGood: false,
            title: "It’s too far",
            reason: `It’s ${fair.miles} miles away, beyond your ${miles}.`,
          },
      fair.crafts.includes(craft)
        ? { id: craft, isGood: true, title: "It fits", reason: `They have a pitch for ${craft}.` }
        : { id: "full", isGood: false, title: "It’s full", reason: `They have all the ${makers[craft]} they need.` },
    ],
  };
}
