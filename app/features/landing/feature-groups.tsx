import type { IconName } from "#app/features/landing/icon-picture.tsx";

export interface FeatureGroup {
  title: string;
  tagline: string;
  icon: IconName;
  features: { title: string; eventHosts: string; stallholders: string }[];
}

export const featureGroups: FeatureGroup[] = [
  {
    title: "A Smart Matching System",
    tagline: "Who’s free, who’s near, who fits.",
    icon: "matching",
    features: [
      {
        title: "Availability",
        eventHosts: "Give the date of your event and see only stallholders who are free that day.",
        stallholders: "Mark the days you can trade and see only events on those days.",
      },
      {
        title: "Travel distance",
        eventHosts: "Know who’s close enough to come before you contact anyone.",
        stallholders: "Say how far you’ll travel, and see only events within reach.",
      },
      {
        title: "Requirements",
        eventHosts: "List what you require of a stall, from gazebo weights to set-up times, and see who can meet it.",
        stallholders:
          "List what your stall needs, from power and pitch size to a pitch fee you can afford, and see which events offer it.",
      },
    ],
  },
  {
    title: "Admin Automation",
    tagline: "The paperwork, done once.",
    icon: "admin",
    features: [
      {
        title: "Document sharing",
        eventHosts:
          "Find each stall’s insurance and PAT test certificates in one place, not at the bottom of your inbox.",
        stallholders:
          "Upload your public liability insurance and PAT test certificates once, and share them with every host who asks.",
      },
      {
        title: "Profile management",
        eventHosts: "Describe your event once, in a profile that any stallholder can read.",
        stallholders: "Show your craft and your stall in one profile, and keep it up to date in one place.",
      },
      {
        title: "Digital forms and signatures",
        eventHosts: "Send your forms and get them back filled in and signed.",
        stallholders: "Fill in and sign online, with nothing to print, scan or post.",
      },
    ],
  },
  {
    title: "Achievement, Reward and Trust Building",
    tagline: "Your reputation, earned and visible.",
    icon: "trust",
    features: [
      {
        title: "Achievements",
        eventHosts: "Earn achievements for the events you run, so stallholders can see your track record.",
        stallholders: "Earn achievements for the fairs you trade at, so new hosts can see your track record.",
      },
      {
        title: "Referral rewards",
        eventHosts: "Refer the stallholders you like to work with, and earn rewards.",
        stallholders: "Refer hosts and fellow makers, and earn rewards.",
      },
      {
        title: "Friends, chat and community trust",
        eventHosts: "Connect with the stallholders you trust, and settle small questions in chat.",
        stallholders: "Connect with hosts and neighbouring stallholders, and settle small questions in chat.",
      },
    ],
  },
];
