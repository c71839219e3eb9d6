import type { ComponentType } from "react";
import { HostScene } from "#app/ui/illustrations/host-scene.tsx";
import { StallholderScene } from "#app/ui/illustrations/stallholder-scene.tsx";

/** The platform's offer to one of its two audiences. */
export interface Side {
  title: string;
  text: string;
  gains: string[];
  Scene: ComponentType;
}

export const sides: Side[] = [
  {
    title: "Event Hosts",
    text: "You run the fair. You want it full of good stalls, without a month of chasing them.",
    gains: [
      "See the stallholders who are free on your date, near enough to come and right for your event.",
      "Collect forms, signatures and documents online, each beside the stall it belongs to.",
      "Keep in touch with the stallholders you would have back any time.",
    ],
    Scene: HostScene,
  },
  {
    title: "Stallholders",
    text: "You make the things people come for. You want the fairs that suit you, without a form for each.",
    gains: [
      "See the events that fall on your free days, within the distance you will travel and suited to your stall.",
      "Keep one profile and one set of documents, ready for every host who asks.",
      "Build a good name that goes with you from fair to fair.",
    ],
    Scene: StallholderScene,
  },
];
