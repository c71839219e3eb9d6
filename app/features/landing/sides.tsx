import type { ComponentType } from "react";
import { site } from "#app/site.ts";
import { HostScene } from "#app/ui/illustrations/host-scene.tsx";
import { StallholderScene } from "#app/ui/illustrations/stallholder-scene.tsx";

export interface Side {
  title: string;
  text: string;
  gains: string[];
  Scene: ComponentType;
}

export const sides: Side[] = [
  {
    title: site.host.title,
    text: "You run the fair. You want it full of good stalls, without a month of chasing them.",
    gains: [
      "See which stallholders are free on your date, near enough to come and right for your event.",
      "Collect forms, signatures and documents online, filed by stall.",
      "Keep in touch with the stallholders you would gladly invite again.",
    ],
    Scene: HostScene,
  },
  {
    title: site.stallholder.title,
    text: "You make the things people come for. You want the fairs that suit you, without a new form each time.",
    gains: [
      "See which events fall on your free days, within the distance you will travel, and suit your stall.",
      "Keep one profile and one set of documents, ready for every host who asks.",
      "Build a reputation that follows you from fair to fair.",
    ],
    Scene: StallholderScene,
  },
];
