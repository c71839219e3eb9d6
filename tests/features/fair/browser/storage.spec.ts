import type { Page } from "@playwright/test";
import {
  answerQuestions,
  emailField,
  fillAndSubmit,
  joinButton,
  openArmed,
  readStore,
  readWaiting,
  signUpAtFair,
  staffLine,
  thanks,
} from "#tests/features/fair/browser/fair.ts";
import { test } from "#tests/features/fair/browser/fair-site.ts";
import { startTablet, storedBytes } from "#tests/features/fair/browser/fair-tablet.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect } from "#tests/support/browser/test.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

test.beforeEach(() => needs("fair"));

test(
  "staff are warned before storage is full, and nobody is thanked for what is not stored",
  slow,
  async ({ fair }) => {
    await using tablet = await startTablet();
    await openArmed(tablet.page, fair);
    // Also for the requests of the service worker.
    fair.fault = () => "cut";
    await signUpAtFair(tablet.page, "room@stall.example.com");
    await expect(staffLine(tablet.page)).not.toContainText("nearly full");
    const reserveBeforeKill = await startOfReserve(tablet.page);

    // The browser counts what is free when it starts, and then now and then.
    await tablet.killAndReopen();
    const { page } = tablet;
    await limitStorage(page, fair.url, 6_000_000);
    await page.goto(`${fair.url}/fair`);
    await expect(joinButton(page)).toBeVisible();
    // The page sets its own reserve aside before the rest is used up.
    await expect.poll(() => startOfReserve(page)).not.toBe(reserveBeforeKill);
    await page.evaluate(fillStorage);
    await signUpAtFair(page, "warned@stall.example.com");
    await expect(staffLine(page)).toContainText("Storage is nearly full. Free up some space on this tablet now.");
    await page.reload();
    await expect(staffLine(page)).toContainText("Storage is nearly full.");

    await page.evaluate(fillStorage);
    await answerQuestions(page);
    await emailField(page).fill("full@stall.example.com");
    await joinButton(page).click();
    await expect(
      page.getByRole("alert").filter({ hasText: "Please ask someone at the stall for help." }),
    ).toBeVisible();
    await expect(thanks(page)).toBeHidden();
    await expect(emailField(page)).toHaveValue("full@stall.example.com");
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(choiceQuestions.length);
    expect(await readWaiting(page)).toBe(2);

    await limitStorage(page, fair.url, 1_000_000_000);
    await joinButton(page).click();
    await expect(thanks(page)).toBeVisible();
    expect(await readWaiting(page)).toBe(3);
    await expect(staffLine(page)).not.toContainText("nearly full");
  },
);

test("the tablet's disk has no part of an address in clear text", slow, async ({ fair }) => {
  await using tablet = await startTablet();
  const { page, context } = tablet;
  await openArmed(page, fair);
  await context.setOffline(true);
  const name = "hildegarde.quartermaine";
  for (let index = 0; index < 30; index += 1)
    await page.evaluate(fillAndSubmit, `${name}${index}@wrenfield-pottery.example`);
  await answerQuestions(page);
  await signUpAtFair(page, `${name}@wrenfield-pottery.example`);
  // What the search must find: a marker in the same database, as text and as the browser stores text beyond Latin 1.
  const marker = { text: "marker-in-latin", other: "marker-in-wide-Ω" };
  await readStore(page, "contact", [marker, "marker"]);
  expect(await readWaiting(page)).toBe(31);
  await context.close();
  const bytes = storedBytes(tablet.profile);
  expect(bytes).toContain("marker-in-latin");
  expect(bytes).toContain("marker-in-wide-");
  for (const part of [name, "hildegarde", "quartermaine", "wrenfield", "pottery.example"]) {
    expect(bytes.includes(part), part).toBe(false);
  }
});

async function limitStorage(page: Page, origin: string, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
}

/** The first of the random bytes that the page has set aside last. */
function startOfReserve(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const reserve = await (await caches.open("reserve")).match("/fair/reserve");
    return new Uint8Array((await reserve?.arrayBuffer()) ?? []).subarray(0, 16).join(" ");
  });
}

/** Runs in the page: fills its storage to the last bytes. */
async function fillStorage(): Promise<void> {
  const opening = indexedDB.open("filler", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("filler", { autoIncrement: true });
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  for (let size = 60_000; size > 100; ) {
    const transaction = opening.result.transaction("filler", "readwrite");
    transaction.objectStore("filler").add(crypto.getRandomValues(new Uint8Array(size)));
    const isStored = await new Promise((resolve) => {
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
    if (!isStored) size = Math.floor(size / 2);
  }
  opening.result.close();
}
