import type { Milestone } from "#app/site.ts";

/** The milestones of all tests of source code, so that these pass with any of the site's own. */
export const sampleMilestones: readonly Milestone[] = [
  { friends: 3, reward: "a free stall fee at your first fair" },
  { friends: 10, reward: "a pitch by the gate" },
];
