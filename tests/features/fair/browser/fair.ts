import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { makeDeviceKeys } from "#app/features/fair/seal.ts";
import { fairDevices, fairInbox } from "#app/server/db/schema/fair.server.ts";
import { randomToken, sha256 } from "#app/server/hashes/random-token.server.ts";
import { questions } from "#app/site.ts";
import { openLocalDatabase } from "#scripts/lib/local-database.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { expect } from "#tests/support/browser/test.ts";
import { answersToAll } from "#tests/support/site-answers.ts";

export const EVENT = "Spring Fair";

/** Where a site is, and its database. */
type Place = Pick<RunningSite, "url" | "persistTo">;

/** Adds a device as the owner does. @returns the code of its QR code */
export async function addFairDevice(site: Place, event = EVENT): Promise<string> {
  const code = randomToken();
  const { publicKey, privateKey } = await makeDeviceKeys();
  using local = openLocalDatabase(site.persistTo);
  const now = Date.now();
  await local.db.insert(fairDevices).values({
    event,
    source: "spring_fair",
    code_hash: await sha256(code),
    created_at: now,
    expires_at: now + 86_400_000,
    public_key: publicKey,
    private_key: privateKey,
  });
  return code;
}

/** Changes a device of the site as the owner or time does. */
export async function changeFairDevice(
  site: Place,
  device: number,
  change: Partial<typeof fairDevices.$inferInsert>,
): Promise<void> {
  using local = openLocalDatabase(site.persistTo);
  await local.db.update(fairDevices).set(change).where(eq(fairDevices.id, device));
}

/** Opens the form of a device on a tablet that has scanned its code, and waits until it works without network. */
export async function openArmed(page: Page, site: Place, event = EVENT): Promise<void> {
  await page.goto(`${site.url}/fair#${await addFairDevice(site, event)}`);
  await expect(page.getByRole("heading", { name: /^Join/ })).toBeVisible();
  await untilPrecached(page);
}

/** Waits until the service worker controls the page, which is after it has stored all files. */
export async function untilPrecached(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

export const emailField = (page: Page) => page.getByLabel("Your email address");
export const joinButton = (page: Page) => page.getByRole("button", { name: "Join Waitlist" });
export const thanks = (page: Page) => page.getByRole("heading", { name: "Thank you" });
export const staffLine = (page: Page) => page.getByRole("contentinfo");

/** Gives every question its last answer. @returns the answers by the key of their question */
export async function answerQuestions(page: Page): Promise<Record<string, string>> {
  const form = page.getByRole("main");
  for (const { key, wording, answers } of questions) {
    const words = Object.values(answers ?? {}).at(-1);
    if (words === undefined) await form.getByLabel(wording).fill(answersToAll(1)[key] ?? "");
    else await form.getByRole("group", { name: wording }).getByRole("radio", { name: words, exact: true }).check();
  }
  return answersToAll(1);
}

export async function signUpAtFair(page: Page, email: string): Promise<void> {
  await emailField(page).fill(email);
  await joinButton(page).click();
  await expect(thanks(page)).toBeVisible();
}

/** Ends the thanks with a key, which they ignore in their first moments. */
export async function leaveThanks(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Shift");
    await expect(thanks(page)).toBeHidden({ timeout: 100 });
  }).toPass();
}

/** How many sign-ups of a device the cron job has not added yet. */
export async function countInbox(site: Place, device: number): Promise<number> {
  using local = openLocalDatabase(site.persistTo);
  return (await local.db.select().from(fairInbox).where(eq(fairInbox.device_id, device))).length;
}

/** The number of the tablet's only device. */
export async function deviceOf(page: Page): Promise<number> {
  const [device] = await readStore(page, "devices");
  return (device as { armed: { device: number } } | undefined)?.armed.device ?? Number.NaN;
}

/** Runs the cron job until it has added all that a device has sent. */
export async function addAll(site: RunningSite, device: number): Promise<void> {
  await expect(async () => {
    await site.sweep();
    expect(await countInbox(site, device)).toBe(0);
  }).toPass({ timeout: 120_000 });
}

/** The addresses of a domain that have entries and their times, in the order in which the entries were made. */
export async function entriesOf(site: RunningSite, domain: string): Promise<{ email: string; createdAt: number }[]> {
  const rows = await site.rows("waitlist_emails");
  return rows
    .map((row) => ({ email: String(row["email"]), createdAt: Number(row["created_at"]) }))
    .filter(({ email }) => email.endsWith(`@${domain}`));
}

/** Runs in the page: signs up as its own code does, without the time that thanks take. */
export async function fillAndSubmit(email: string): Promise<void> {
  const field = document.getElementById("email") as HTMLInputElement;
  field.value = email;
  field.form?.requestSubmit();
  for (const until = Date.now() + 30_000; field.value !== ""; ) {
    const problem = document.getElementById("problem")?.textContent;
    if (problem) throw new Error(problem);
    if (Date.now() > until) throw new Error("The form was not stored");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Leaves sending to the page, whose requests a test can see and change, as those of a service worker it cannot. */
export async function sendFromPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(ServiceWorkerRegistration.prototype, "sync");
  });
}

type Store = "devices" | "sign-ups" | "contact";

/** How many sign-ups the tablet has stored. */
export const readWaiting = async (page: Page) => (await readStore(page, "sign-ups")).length;

/** What the tablet has stored, after a change of it. */
export function readStore(page: Page, store: Store, put?: [value: object, key?: string]) {
  return page.evaluate(
    async ({ store, put }) => {
      const opening = indexedDB.open("fair");
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const transaction = opening.result.transaction(store, put ? "readwrite" : "readonly", { durability: "strict" });
      if (put) transaction.objectStore(store).put(...put);
      const reading: IDBRequest<Record<string, unknown>[]> = transaction.objectStore(store).getAll();
      await new Promise((resolve) => transaction.addEventListener("complete", resolve));
      opening.result.close();
      return reading.result;
    },
    { store, put },
  );
}

/** The names of the caches, of which one has the version whose files the service worker has stored. */
export function cachesOf(page: Page): Promise<string> {
  return page.evaluate(async () => (await caches.keys()).join()).catch(() => "");
}
