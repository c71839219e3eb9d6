import type { ComponentType } from "react";
import { CommunityIcon, EarlyIcon, ShapeIcon } from "#app/features/landing/icons.tsx";
import { site } from "#app/site.ts";

/** @param launchSentence says when the product opens, if the site does */
export function benefits(launchSentence = ""): { title: string; text: string; Icon: ComponentType }[] {
  return [
    {
      title: "Join Our Community",
      text: `Be among the first ${site.host.many} and ${site.stallholder.many} here, and get to know each other before the first fair.`,
      Icon: CommunityIcon,
    },
    {
      title: "Early Access",
      text: `${site.pioneer.many} try features while we’re still building them. ${launchSentence}`.trim(),
      Icon: EarlyIcon,
    },
    {
      title: "Shape The Future",
      text: "Tell us what slows you down before a fair. There’s still time for your answer to change what we build.",
      Icon: ShapeIcon,
    },
  ];
}
