import type { ComponentType } from "react";
import { CommunityIcon, EarlyIcon, ShapeIcon } from "#app/ui/illustrations/benefit-icons.tsx";

export interface Benefit {
  title: string;
  text: string;
  Icon: ComponentType;
}

export const benefits: Benefit[] = [
  {
    title: "Join Our Community",
    text: "Be among the first hosts and stallholders here, and get to know each other before the first fair.",
    Icon: CommunityIcon,
  },
  {
    title: "Early Access",
    text: "Pioneers try things while they are being built, ahead of the beta and everybody else.",
    Icon: EarlyIcon,
  },
  {
    title: "Shape The Future",
    text: "Tell us what costs you time before a fair. What you say now is still early enough to change things.",
    Icon: ShapeIcon,
  },
];
