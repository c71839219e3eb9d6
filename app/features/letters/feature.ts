import type { Feature } from "#app/feature.ts";

export const letters: Feature = {
  name: "letters",
  routes: [
    { path: "/letters", file: "features/letters/public/letters.tsx" },
    { path: "/letters/page/:number", file: "features/letters/public/letters.tsx", id: "letters-page" },
    { path: "/letters/:id", file: "features/letters/public/letter.tsx" },
    { path: "/letters/feed.xml", file: "features/letters/public/letters-feed.ts", isBare: true },
    { path: "/letters/:id/pictures/:name", file: "features/letters/public/letter-picture.ts", isBare: true },
  ],
  server: () => import("#app/features/letters/feature.server.ts"),
};
