import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { milestones } from "#app/site.ts";
import { referrals } from "#app/switches.ts";
import { createEntry, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedInBrowser } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Owners choose the rewards for friends. */

freshStorageForEachTest();

const browser = signedInBrowser({ CONFIRM_ADDRESSES: "on" });
const PATH = "/owner/settings/rewards";

const save = (rewards: [friends: string, reward: string][]) => {
  const fields = new URLSearchParams({ intent: "save" });
  for (const [friends, reward] of rewards) {
    fields.append("friends", friends);
    fields.append("reward", reward);
  }
  return browser.request(PATH, { method: "POST", headers: { Origin: env.SITE_URL }, body: fields });
};
const stored = async () => JSON.parse(JSON.parse(String((await rows("settings"))[0]?.["stored"] ?? "{}")).MILESTONES);
const fair = { friends: 3, reward: "a free stall" };

test.runIf(referrals && milestones.length === 0)(
  "rewards are added in the order of their friends, and one that people have reached is kept when it is no longer offered",
  async () => {
    expect(
      (
        await save([
          ["10", "a banner"],
          ["3", "a free stall"],
          ["", ""],
        ])
      ).headers.get("Location"),
    ).toContain("settings-saved");
    expect(await stored()).toEqual([fair, { friends: 10, reward: "a banner" }]);
    const to = "3 friends: a free stall; 10 friends: a banner";
    expect(await loggedActions()).toEqual([["change-setting", { setting: "Rewards", from: "None", to }]]);

    const id = await createEntry("active", "ada@example.com");
    await execute("INSERT INTO reached_milestones (entry_id, friends, reached_at) VALUES (?, 3, 1)", id);
    expect(visibleText((await browser.request(PATH)).body)).toContain("One person has reached it.");
    await save([["10", "a banner"]]);
    expect(await stored()).toEqual([
      { ...fair, retired: true },
      { friends: 10, reward: "a banner" },
    ]);
    expect((await browser.request(PATH)).body).toContain('value="a banner"');
    await save([]);
    expect(await stored()).toEqual([{ ...fair, retired: true }]);
    expect(visibleText((await browser.request(PATH)).body)).toContain("reached by some: 3 friends: a free stall.");
  },
);

test.runIf(referrals)("wrong rewards are refused with what was typed", async () => {
  const refused = await save([
    ["some", "a banner"],
    ["3", ""],
  ]);
  expect(refused.status).toBe(422);
  expect(visibleText(refused.body)).toContain("must be a whole number above 0");
  expect(visibleText(refused.body)).toContain("Each reward needs words");
  expect(refused.body).toContain('value="some"');
  expect(await rows("settings")).toEqual([]);
});
