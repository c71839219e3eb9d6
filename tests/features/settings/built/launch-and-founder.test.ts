import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { launched } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { concat, exifSegment, extras, includes, jpeg, SECRET } from "#tests/features/pictures/pool/picture-files.ts";
import { escaped, read, send, unescaped, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, problemsOf, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows, stopClock } from "#tests/support/pool/start.ts";

/* The pages on which owners change the launch, and the founder's note and photograph. */

freshStorageForEachTest();

const browser = signedInBrowser();
const stored = async () => JSON.parse(String((await rows("settings"))[0]?.["stored"] ?? "{}"));
const hiddenIn = (html: string) =>
  Object.fromEntries(
    Array.from(html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g), ([, name = "", value = ""]) => [
      name,
      unescaped(value),
    ]),
  );

describe("saying that the product is open", () => {
  const url = "https://app.market.example/welcome";
  const fields = { "launch-sentence": "Soon.", "launch-date": "2031-06-30", "launch-url": url };
  const save = (more: object = {}) => browser.post("/owner/settings/launch", { intent: "save", ...fields, ...more });

  test("shows first what changes, and does so by one press", async () => {
    const asked = await save();
    expect(asked.status).toBe(200);
    const text = visibleText(asked.body);
    for (const shown of [launched.lead, launched.button, launched.note, url, "Nothing has changed yet"]) {
      expect(asked.body + text).toContain(escaped(shown));
    }
    expect(await rows("settings")).toEqual([]);
    expect((await read("/")).body).toContain('name="email"');

    const confirmed = await browser.post("/owner/settings/launch", { ...hiddenIn(asked.body), intent: "confirm" });
    expect(confirmed.headers.get("Location")).toBe("/owner/settings/launch?done=settings-saved");
    expect(await stored()).toMatchObject({ LAUNCH_URL: url, LAUNCH_SENTENCE: "Soon.", LAUNCH_DATE: "2031-06-30" });
    expect(await loggedActions()).toContainEqual([
      "change-setting",
      { setting: "The address of your product, once it is open", from: "Not open yet", to: url },
    ]);
    const { body } = await read("/");
    expect(body).not.toContain('name="email"');
    expect(body).toContain(`href="${url}"`);
  });

  test("can be given up for the form, with what was typed", async () => {
    const asked = await save();
    const { status, body } = await browser.post("/owner/settings/launch", { ...hiddenIn(asked.body), intent: "edit" });
    expect(status).toBe(200);
    expect(body).toMatch(new RegExp(`<input[^>]*name="launch-url"[^>]*value="${url}"`));
    expect(await rows("settings")).toEqual([]);
  });

  test("is asked again the other way round, and not for another address or sentence", async () => {
    await save({ intent: "confirm" });
    expect((await save({ "launch-url": `${url}/2` })).status).toBe(303);
    const asked = await save({ "launch-url": "" });
    expect([asked.status, visibleText(asked.body)]).toEqual([200, expect.stringContaining("Take sign-ups again")]);
    expect((await save({ "launch-url": "", intent: "confirm" })).status).toBe(303);
    expect((await stored()).LAUNCH_URL).toBeUndefined();
  });

  test.each([
    [env.SITE_URL.replace("http:", "https:"), /an address of this site itself/],
    ["http://app.market.example", /must be an https/],
  ])("refuses %s", async (own, problem) => {
    const refused = await save({ "launch-url": own });
    expect(refused.status).toBe(422);
    expect(problemsOf(refused.body)["launch-url"]).toMatch(problem);
    expect((await save({ "launch-url": own, intent: "confirm" })).status).toBe(422);
    expect(await rows("settings")).toEqual([]);
  });

  test("refuses to replace what another owner has saved meanwhile", async () => {
    const shown = hiddenIn((await browser.request("/owner/settings/launch")).body);
    await save({ "launch-url": "" });
    const { status, body } = await save({ ...shown, "launch-sentence": "Later." });
    expect(status).toBe(409);
    expect(body).toContain("Later.");
    expect(visibleText(body)).toContain("saved another text");
    expect(String((await rows("settings"))[0]?.["stored"])).not.toContain("Later.");
  });

  test("is what the overview leads to once the date has passed, in one item", async () => {
    stopClock(Date.UTC(2031, 6, 1));
    await browser.signIn();
    await save({ "launch-url": "" });
    for (const someoneHasJoined of [false, true]) {
      if (someoneHasJoined) await join("ada@example.com");
      const { body } = await browser.request("/owner");
      expect(body.match(/The launch date, 30 June 2031, has passed/g)).toHaveLength(1);
      expect(body).toContain('href="/owner/settings/launch"');
      expect(body).not.toContain("LAUNCH_URL");
    }
    await save({ intent: "confirm" });
    expect((await browser.request("/owner")).body).not.toContain("The launch date");
  });
});

describe("the founder", () => {
  interface Form {
    photo?: Uint8Array<ArrayBuffer>;
    fields?: Record<string, string>;
  }

  function save({ photo, fields = {} }: Form) {
    const form = new FormData();
    const all = { intent: "save", "founder-name": "Ada Stallwright", "founder-note": "Come\nand see.", ...fields };
    for (const [name, value] of Object.entries(all)) form.set(name, value);
    form.set("founder-photo-file", new File(photo === undefined ? [] : [photo], "ada.jpg", { type: "image/jpeg" }));
    const init = { method: "POST", body: form, headers: { Origin: env.SITE_URL } };
    return browser.request("/owner/settings/founder", init);
  }

  const photo = (size: object = {}) =>
    jpeg({ width: 320, height: 320, before: [exifSegment(1), ...extras], after: SECRET, ...size });

  test("signs a note with a photograph, whose metadata is gone; it can be replaced and removed", async () => {
    expect((await save({ photo: photo() })).headers.get("Location")).toBe(
      "/owner/settings/founder?done=settings-saved",
    );
    const { FOUNDER_PHOTO: path, ...others } = await stored();
    expect(others).toEqual({ FOUNDER_NAME: "Ada Stallwright", FOUNDER_NOTE: "Come\nand see." });
    expect(path).toMatch(/^\/pictures\/[0-9a-f]{32}-320x320\.jpg$/);
    expect(await loggedActions()).toContainEqual([
      "change-setting",
      { setting: "Photograph", from: "No photograph", to: "A photograph" },
    ]);
    const [piece] = await rows<{ data: string }>("picture_pieces");
    expect(includes(Uint8Array.fromBase64(piece?.data ?? ""), SECRET)).toBe(false);
    const served = await send(path);
    expect([served.status, served.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    const landing = async () => (await read("/")).body;
    if (switches.product) expect(await landing()).toContain(`<img src="${path}" alt="Ada Stallwright"`);

    // The form has its path, so that saving a word keeps it.
    const { body } = await browser.request("/owner/settings/founder");
    expect(hiddenIn(body)["founder-photo"]).toBe(path);
    await save({ fields: { "founder-photo": path, "founder-note": "Come soon." } });
    expect((await stored()).FOUNDER_PHOTO).toBe(path);
    await save({ photo: photo(), fields: { "founder-photo": path } });
    expect((await stored()).FOUNDER_PHOTO).not.toBe(path);
    await save({ fields: { "founder-photo": path, "founder-photo-removed": "yes" } });
    expect((await stored()).FOUNDER_PHOTO).toBeUndefined();
    expect(await landing()).not.toContain("/pictures/");
  });

  test.each([
    ["more than 60 KB", photo({ data: 61 * 1_024 }), 422, "larger than 60 KB"],
    ["hundreds of kilobytes", photo({ data: 390 * 1_024 }), 413, "larger than 60 KB"],
    ["many pixels", photo({ width: 1_200, height: 1_200 }), 422, "1,200 × 1,200 pixels"],
    ["one long side", photo({ width: 600, height: 300 }), 422, "shown as a square"],
    ["no picture", concat("%PDF-1.7"), 422, "no picture"],
  ])("has no photograph with %s", async (_, file, expected, problem) => {
    const { status, body } = await save({ photo: file });
    expect([status, problemsOf(body)["founder-photo-file"]]).toEqual([expected, expect.stringContaining(problem)]);
    expect(await rows("settings")).toEqual([]);
  });

  test("keeps a photograph that was chosen in a form that is refused", async () => {
    const { status, body } = await save({ photo: photo(), fields: { "founder-name": "x".repeat(100) } });
    expect([status, problemsOf(body)["founder-name"]]).toEqual([422, expect.stringContaining("at most 80")]);
    const path = hiddenIn(body)["founder-photo"] ?? "none";
    await save({ fields: { "founder-photo": path } });
    expect((await stored()).FOUNDER_PHOTO).toBe(path);
  });

  test("has no photograph of another site", async () => {
    const { status } = await save({ fields: { "founder-photo": "https://pictures.example/ada.jpg" } });
    expect(status).toBe(422);
    expect(await rows("settings")).toEqual([]);
  });
});
