import type { Question } from "#app/site.ts";

/** The questions of all tests of source code, so that these pass with any questions of the site's own. The role is not the first. */
export const sampleQuestions: readonly Question[] = [
  { key: "town", label: "Town", wording: "Which town are you in?" },
  {
    key: "role",
    label: "Role",
    wording: "What brings you here?",
    answers: { host: "Event host", stallholder: "Stallholder", both: "Both", curious: "Just curious" },
  },
  {
    key: "fairs",
    label: "Fairs a year",
    wording: "How many fairs do you go to in a year?",
    answers: { none: "None", few: "Up to five", many: "More" },
  },
  { key: "craft", label: "Craft", wording: "What do you make?" },
  { key: "tent", label: "Own tent", wording: "Do you have a tent?", answers: { yes: "Yes", no: "No" } },
];
