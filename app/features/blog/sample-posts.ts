import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";

/** Shown while the blog has no posts; links to a page of this site. Without that page, it is left out. */
export interface SamplePost {
  id: number;
  title: string;
  excerpt: string;
  /** For the light and the dark colour scheme. Made by `npm run generate:images`. */
  featureImage: string;
  darkImage: string;
  url: `/${string}`;
  target: string;
}

const aboutRoadmap: SamplePost = {
  id: 1,
  title: "How far along are we?",
  excerpt:
    "A first version matches hosts and stallholders by date, distance and requirements. We’re now improving how it judges a good fit. Referrals, booking and shared documents come next.",
  featureImage: "/posts/signpost-light.webp",
  darkImage: "/posts/signpost-dark.webp",
  url: "/roadmap",
  target: "See the roadmap",
};

const aboutSurvey: SamplePost = {
  id: 2,
  title: "Three questions to ask before you book a pitch",
  excerpt:
    "How many visitors came last time? Who else sells what you sell? What does the fee include? Tell us which answers are hardest to get, and we’ll build for that.",
  featureImage: "/posts/questions-light.webp",
  darkImage: "/posts/questions-dark.webp",
  url: "/survey",
  target: "See the survey",
};

const aboutPioneers: SamplePost = {
  id: 3,
  title: `What ${site.pioneer.many} get, and when`,
  excerpt:
    "A welcome email now. Features to try while we build them, and a say in what we change. First entry to the beta. It costs nothing, and you can leave at any time.",
  featureImage: "/posts/letter-light.webp",
  darkImage: "/posts/letter-dark.webp",
  url: "/#join",
  target: "Join the waitlist",
};

export const samplePosts: SamplePost[] = [
  ...(switches.roadmap ? [aboutRoadmap] : []),
  ...(switches.survey ? [aboutSurvey] : []),
  aboutPioneers,
];
