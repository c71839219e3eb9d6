import type { Feature } from "#app/feature.ts";

export const survey: Feature = {
  name: "survey",
  routes: [{ path: "/survey", file: "features/survey/survey.tsx" }],
};
