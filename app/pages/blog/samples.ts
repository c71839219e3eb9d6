/** A post of ours that stands in while there are none; it leads to a place on this site. */
export interface Sample {
  id: number;
  title: string;
  excerpt: string;
  /** By day, and in the dark scheme. Drawn by `npm run pictures`. */
  featureImage: string;
  eveningImage: string;
  url: `/${string}`;
}

export const samples: Sample[] = [
  {
    id: 1,
    title: "How far along are we?",
    excerpt: "What is built, what is on the workbench, and what waits its turn before the beta opens.",
    featureImage: "/posts/signpost-day.webp",
    eveningImage: "/posts/signpost-evening.webp",
    url: "/roadmap",
  },
  {
    id: 2,
    title: "What would make your next fair easier?",
    excerpt: "Finding one, filling one, the paperwork between. What you answer decides what comes first.",
    featureImage: "/posts/questions-day.webp",
    eveningImage: "/posts/questions-evening.webp",
    url: "/survey",
  },
  {
    id: 3,
    title: "What a Pioneer gets, and when",
    excerpt: "The first letter, the first look, and a word in what this market becomes.",
    featureImage: "/posts/letter-day.webp",
    eveningImage: "/posts/letter-evening.webp",
    url: "/#join",
  },
];
