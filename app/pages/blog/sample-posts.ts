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
    excerpt: "What is built, what is on the workbench, and what waits its turn before the beta opens.",
    featureImage: "/posts/signpost-light.webp",
    darkImage: "/posts/signpost-dark.webp",
    url: "/roadmap",
  },
  {
    id: 2,
    title: "What would make your next fair easier?",
    excerpt: "Finding one, filling one, the paperwork between. What you answer decides what comes first.",
    featureImage: "/posts/questions-light.webp",
    darkImage: "/posts/questions-dark.webp",
    url: "/survey",
  },
  {
    id: 3,
    title: "What a Pioneer gets, and when",
    excerpt: "The first letter, the first look, and a word in what this market becomes.",
    featureImage: "/posts/letter-light.webp",
    darkImage: "/posts/letter-dark.webp",
    url: "/#join",
  },
];
