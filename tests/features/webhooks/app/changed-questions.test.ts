import { expect, test } from "vitest";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import { withSettings } from "#tests/support/pool/settings.ts";

test("the test event has answers to the questions that are asked now", () => {
  const tent = { key: "tent", label: "Tent", wording: "A tent?", answers: { yes: "Yes", no: "No" } };
  withSettings({ questions: [tent, { key: "first_name", label: "First name", wording: "What should we call you?" }] });
  const { data } = JSON.parse(testBody("entry.joined", { has_personal_data: true }, 0));
  expect(data.answers).toEqual({ tent: "yes", first_name: "Example" });
});
