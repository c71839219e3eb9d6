import { site } from "#app/site.ts";

/** Shown while the blog has no posts; links to a page of this site. */
export interface SamplePost {
  id: number;
  title: string;
  excerpt: string;
  /** For the light and the dark colour scheme. Made by `npm run generate:images`. */
  featureImage: string;
  darkImage: string;
  url: `/${string}`;
}

export const samplePosts: SamplePost[] = [
  {
    id: 1,
    title: "How far along are we?",
    excerpt: "What is built, what we are working on, and what comes next before the beta opens.",
    featureImage: "/posts/signpost-light.webp",
    darkImage: "/posts/signpost-dark.webp",
    url: "/roadmap",
  },
  {
    id: 2,
    title: "What would make your next fair easier?",
    excerpt: "Finding a fair, filling one, or the paperwork in between? Your answers decide what we build first.",
    featureImage: "/posts/questions-light.webp",
    darkImage: "/posts/questions-dark.webp",
    url: "/survey",
  },
  {
    id: 3,
    title: `What a ${site.pioneer.one} gets, and when`,
    excerpt: "First news, first access, and a say in what this market becomes.",
    featureImage: "/posts/letter-light.webp",
    darkImage: "/posts/letter-dark.webp",
    url: "/#join",
  },
];
