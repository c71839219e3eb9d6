import { expect, test } from "vitest";
import { guessMapping } from "#app/owner/import/fields.ts";

test("the numbers of friends that an export of this site has are left out", () => {
  expect(guessMapping(["email", "friends_counted", "milestone"]).slice(1)).toEqual([null, null]);
});
