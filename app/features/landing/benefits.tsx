import type { IconName } from "#app/features/landing/icon-picture.tsx";
import { site } from "#app/site.ts";

/** @param launchSentence says when the product opens, if the site does */
export function benefits(launchSentence = ""): { title: string; text: string; icon: IconName }[] {
  return [
    {
      title: "Join Our Community",
      text: `Be among the first ${site.host.many} and ${site.stallholder.many} here, and get to know each other before the first fair.`,
      icon: "community",
    },
    {
      title: "Early Access",
      text: `${site.pioneer.many} try features while we’re still building them. ${launchSentence}`.trim(),
      icon: "early",
    },
    {
      title: "Shape The Future",
      text: "Tell us what slows you down before a fair. There’s still time for your answer to change what we build.",
      icon: "shape",
    },
  ];
}
