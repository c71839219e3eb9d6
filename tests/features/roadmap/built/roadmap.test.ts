import { expect, test } from "vitest";
import { roadmapMilestones, statusText } from "#app/features/roadmap/milestones.ts";
import { read } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, needs, stopClock } from "#tests/support/pool/start.ts";

needs("roadmap");
freshStorageForEachTest();

test("has every milestone with its date and status, in order", async () => {
  const { body, text } = await read("/roadmap");
  const headings = Array.from(body.matchAll(/<h2[^>]*>(.*?)<\/h2>/g), ([, heading]) => heading);
  expect(headings).toEqual(roadmapMilestones.map(({ title }) => title));
  const order = roadmapMilestones.map(({ date, title, status }) =>
    text.indexOf(`${date} ${statusText[status]} ${title}`),
  );
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("shows today in Britain as its last update", async () => {
  stopClock(Date.UTC(2026, 6, 3, 23, 30));
  expect((await read("/roadmap")).text).toContain("Last updated 4 July 2026");
});
