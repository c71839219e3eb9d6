import { connect } from "node:net";
import { deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { build } from "vite";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { chunk, concat, exifSegment, includes, SECRET } from "#tests/features/pictures/pool/picture-files.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

needs("letters");

/* The part of the editor that adds pictures, on a page of its own, with the real site behind it. */

const EDITOR = "/owner/letters/test-of-pictures";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const entry = `
  import { setUpPictures } from "${import.meta.dirname}/../../../../app/owner/editor/pictures.ts";
  const text = document.querySelector("textarea");
  const { choose } = setUpPictures(text, (markdown) => { text.value += "\\n\\n" + markdown; });
  document.querySelector("#choose").addEventListener("click", choose);
`;

let script: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [
      { name: "entry", resolveId: (id) => (id === "entry" ? id : null), load: (id) => (id === "entry" ? entry : null) },
    ],
    build: { write: false, rolldownOptions: { input: "entry", output: { format: "iife" } } },
  });
  if (!("output" in built)) throw new Error("not bundled");
  return built.output[0].code;
}

/** Opens a text that begins with `Hello.` */
async function openEditor(page: Page, site: RunningSite): Promise<void> {
  script ??= bundle();
  const code = await script;
  await page.goto(`${site.url}/owner/pictures`);
  const styles = await page.locator("link[rel=stylesheet]").first().getAttribute("href");
  await page.route(`**${EDITOR}`, (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      headers: { "Content-Security-Policy": policy },
      body: `<!doctype html><html lang="en"><title>Text</title><link rel="stylesheet" href="${styles}">
        <body class="owner"><main><h1>Text</h1><label for="text">Text</label><textarea id="text">Hello.</textarea>
        <button id="choose" type="button">Picture</button></main><script src="${EDITOR}.js"></script>`,
    }),
  );
  await page.route(`**${EDITOR}.js`, (route) => route.fulfill({ contentType: "text/javascript", body: code }));
  await page.goto(site.url + EDITOR);
}

const text = (page: Page) => page.locator("textarea");
const status = (page: Page) => page.getByRole("status");

interface NamedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const file = (name: string, mimeType: string, bytes: Uint8Array): NamedFile => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
});

const choose = (page: Page, ...files: NamedFile[]) => page.locator("input[type=file]").setInputFiles(files);

async function describe(page: Page, alt: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Describe the picture" });
  await dialog.getByLabel("Description").fill(alt);
  await dialog.getByRole("button", { name: "Add the picture" }).click();
}

/** The address of the picture that was added last, once it is in the text. */
async function added(page: Page, site: RunningSite): Promise<string> {
  await expect(status(page)).toHaveText("The picture is in the text.", { timeout: 60_000 });
  const [, path] = /\(\{\{site\}\}(\/pictures\/[^)]+)\)$/.exec(await text(page).inputValue()) ?? [];
  return site.url + path;
}

async function download(page: Page, address: string): Promise<Uint8Array> {
  return new Uint8Array(await (await page.request.get(address)).body());
}

interface Drawn {
  width: number;
  height: number;
  type?: string;
  quality?: number;
  /** How much each pixel differs from its neighbours, of 255. */
  noise?: number;
  isTransparent?: boolean;
}

/** Draws a picture like a photo: soft colours with noise, and a red square at the top left. */
async function draw(page: Page, drawn: Drawn): Promise<Uint8Array> {
  const base64 = await page.evaluate(
    async ({ width, height, type = "image/jpeg", quality = 1, noise = 0, isTransparent = false }: Drawn) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      const image = new ImageData(width, height);
      let random = 1;
      for (let index = 0; index < width * height; index += 1) {
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
        const shade = (random / 2_147_483_648 - 0.5) * noise;
        const [x, y] = [(index % width) / width, Math.floor(index / width) / height];
        const isSquare = x < 0.25 && y < 0.25;
        const colour = isSquare ? [230, 0, 0] : [60 + 80 * x + shade, 120 + 80 * y + shade, 150 + shade];
        image.data.set([...colour, isTransparent && x > 0.5 ? 0 : 255], index * 4);
      }
      context?.putImageData(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality })).arrayBuffer());
      let binary = "";
      for (let start = 0; start < bytes.length; start += 30_000) {
        binary += String.fromCharCode(...bytes.subarray(start, start + 30_000));
      }
      return btoa(binary);
    },
    drawn,
  );
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** How browsers show a picture: its size, and the colours at its corners. */
async function shown(page: Page, address: string) {
  const base64 = Buffer.from(await download(page, address)).toString("base64");
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const isRed = (x: number, y: number) => {
      const [red = 0, green = 0] =
        context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data ?? [];
      return red > 180 && green < 60;
    };
    return { width, height, red: { topLeft: isRed(0.05, 0.05), topRight: isRed(0.95, 0.05) } };
  }, base64);
}

test(
  "a photo of 8 MB from a phone is made small, turned upright and stored without where it was taken",
  slow,
  async ({ owner, site }) => {
    test.setTimeout(180_000);
    await openEditor(owner, site);
    const photo = await draw(owner, { width: 4_032, height: 3_024, noise: 120, quality: 0.96 });
    const taken = concat(photo.subarray(0, 2), exifSegment(6), photo.subarray(2));
    expect(taken.length).toBeGreaterThan(8_000_000);
    expect(includes(taken, SECRET)).toBe(true);
    await choose(owner, file("IMG_0001.JPG", "image/jpeg", taken));
    await describe(owner, "A stall");
    const address = await added(owner, site);
    const stored = await download(owner, address);
    const { width, height, red } = await shown(owner, address);
    console.log(`${taken.length} bytes became ${stored.length} bytes, ${width} × ${height} pixels`);
    expect(stored.length).toBeLessThanOrEqual(400 * 1_024);
    expect(stored.length).toBeGreaterThan(50_000);
    expect([width <= 1_600, height <= 2_400, Math.abs(height / width - 4 / 3) < 0.01]).toEqual([true, true, true]);
    // What was at the top left is at the top right, in the pixels themselves.
    expect(red).toEqual({ topLeft: false, topRight: true });
    for (const trace of [SECRET, "Exif", "GPS", "Phon"]) expect(includes(stored, trace), trace).toBe(false);
    expect(await text(owner).inputValue()).toBe(`Hello.\n\n![A stall]({{site}}${address.slice(site.url.length)})`);
  },
);

test("without script, the same photo is refused with a sentence, and a small one is shown upright", {
  tag: "@slow",
}, async ({ owner, site }) => {
  test.setTimeout(120_000);
  await owner.goto(`${site.url}/owner/pictures`);
  const photo = await draw(owner, { width: 4_032, height: 3_024, noise: 120, quality: 0.96 });
  const small = await draw(owner, { width: 1_200, height: 900, noise: 40, quality: 0.8 });
  const withGps = (jpeg: Uint8Array) => concat(jpeg.subarray(0, 2), exifSegment(6), jpeg.subarray(2));
  const post = async (bytes: Uint8Array, alt: string) => {
    await owner.locator("#picture").setInputFiles(file("IMG_0001.JPG", "image/jpeg", withGps(bytes)));
    await owner.locator("#alt").fill(alt);
    await owner.getByRole("button", { name: "Upload" }).click();
  };
  await post(photo, "A large stall");
  await expect(owner.locator("#picture-problem")).toContainText("The picture is larger than 400 KB and was not saved.");
  expect(small.length).toBeLessThan(400_000);
  await post(small, "A small stall");
  await expect(owner.getByRole("status")).toContainText("The picture is stored.");
  const path = await owner.getByRole("img", { name: "A small stall" }).first().getAttribute("src");
  const stored = await download(owner, site.url + path);
  expect([includes(stored, SECRET), includes(stored, "GPS")]).toEqual([false, false]);
  expect(await shown(owner, site.url + path)).toEqual({
    width: 900,
    height: 1_200,
    red: { topLeft: false, topRight: true },
  });
});

test("pictures can be dropped and pasted; text with a picture of it, as Word copies it, is left to others", async ({
  owner,
  site,
}) => {
  await openEditor(owner, site);
  const jpeg = Buffer.from(await draw(owner, { width: 300, height: 200 })).toString("base64");
  const give = (kind: "drop" | "paste", plain = "") =>
    text(owner).evaluate(
      (area, [kind, base64, plain]) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64 ?? ""), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], "a.jpg", { type: "image/jpeg" }));
        if (plain) data.setData("text/plain", plain);
        const init = { bubbles: true, cancelable: true };
        const event =
          kind === "drop"
            ? new DragEvent("drop", { ...init, dataTransfer: data })
            : new ClipboardEvent("paste", { ...init, clipboardData: data });
        return area.dispatchEvent(event);
      },
      [kind, jpeg, plain],
    );
  expect(await give("paste", "Words")).toBe(true);
  await expect(owner.getByRole("dialog")).toHaveCount(0);
  for (const kind of ["drop", "paste"] as const) {
    expect(await give(kind)).toBe(false);
    await describe(owner, `A ${kind}`);
    expect(await shown(owner, await added(owner, site))).toMatchObject({ width: 300, height: 200 });
    await expect(text(owner)).toHaveValue(new RegExp(`!\\[A ${kind}\\]\\(`));
  }
});

test("the dialog is for the keyboard, too: it has the focus, Escape changes nothing, and spaces are no description", {
  tag: "@slow",
}, async ({ owner, site }) => {
  await openEditor(owner, site);
  const jpeg = file("a.jpg", "image/jpeg", await draw(owner, { width: 300, height: 200 }));
  const chooser = owner.waitForEvent("filechooser");
  await owner.getByRole("button", { name: "Picture" }).press("Enter");
  await (await chooser).setFiles(jpeg);
  const dialog = owner.getByRole("dialog");
  await expect(dialog.getByLabel("Description")).toBeFocused();
  for (const colorScheme of ["light", "dark"] as const) {
    await owner.emulateMedia({ colorScheme });
    expect(await violations(owner)).toEqual([]);
  }
  await owner.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(text(owner)).toHaveValue("Hello.");
  await choose(owner, jpeg);
  await owner.keyboard.type("  ");
  await owner.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await owner.keyboard.type("A stall");
  await owner.keyboard.press("Enter");
  await added(owner, site);
});

test("two pictures at once are asked for one after the other", slow, async ({ owner, site }) => {
  await openEditor(owner, site);
  const one = file("1.jpg", "image/jpeg", await draw(owner, { width: 300, height: 200 }));
  const two = file("2.jpg", "image/jpeg", await draw(owner, { width: 200, height: 300 }));
  await choose(owner, one, two);
  await describe(owner, "One");
  await expect(text(owner)).toHaveValue(/!\[One\]\(.*300x200\.jpg\)$/);
  await describe(owner, "Two");
  await expect(text(owner)).toHaveValue(/!\[One\]\(.*\)\n\n!\[Two\]\(.*200x300\.jpg\)$/);
});

test("a picture that is transparent stays so, a screenshot stays as it is, and others become JPEGs", {
  tag: "@slow",
}, async ({ owner, site }) => {
  await openEditor(owner, site);
  const drawn: [string, Drawn, RegExp][] = [
    ["image/png", { width: 400, height: 300 }, /-400x300\.png$/],
    ["image/webp", { width: 400, height: 300 }, /-400x300\.jpg$/],
    ["image/webp", { width: 400, height: 300, isTransparent: true }, /-400x300\.png$/],
    ["image/png", { width: 1_700, height: 100, isTransparent: true }, /-1600x94\.png$/],
    ["image/png", { width: 1_600, height: 1_200, noise: 80 }, /\.jpg$/],
    ["image/jpeg", { width: 300, height: 4_800 }, /-150x2400\.jpg$/],
  ];
  for (const [type, picture, address] of drawn) {
    const bytes = await draw(owner, { ...picture, type });
    await choose(owner, file("a", type, bytes));
    await describe(owner, "A stall");
    expect(await added(owner, site)).toMatch(address);
    await owner.reload();
  }
});

test("files that cannot be added are refused with a sentence, and the text stays", { tag: "@slow" }, async ({
  owner,
  site,
}) => {
  await openEditor(owner, site);
  // 51 megapixels, all black, in a few KB.
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, 10_000);
  header.setUint32(4, 5_100);
  header.setUint8(8, 1);
  const rows = deflateSync(Buffer.alloc((1 + 10_000 / 8) * 5_100));
  const huge = concat(
    "\u0089PNG\r\n\u001a\n",
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", new Uint8Array(rows)),
    chunk("IEND", []),
  );
  for (const [given, sentence] of [
    [file("notes.txt", "text/plain", concat("Hello")), "“notes.txt” is not a picture."],
    [
      file("a.jpg", "image/jpeg", new Uint8Array(26_300_000)),
      "“a.jpg” is larger than 25 MB. Choose a smaller picture.",
    ],
    [file("a.heic", "image/heic", concat("ftypheic")), "This browser cannot read HEIC pictures, as iPhones take them."],
    [file("a.HEIC", "", concat("ftypheic")), "This browser cannot read HEIC pictures"],
    [
      file("a.svg", "image/svg+xml", concat("<svg>")),
      "This browser cannot read “a.svg”. Save it as a JPEG, and try again.",
    ],
    [file("a.png", "image/png", huge), "“a.png” has more than 50 megapixels. Choose a smaller picture."],
  ] as const) {
    await choose(owner, given);
    await expect(status(owner)).toContainText(sentence);
    await expect(text(owner)).toHaveValue("Hello.");
    await expect(owner.getByRole("dialog")).toHaveCount(0);
  }
});

test.describe("an upload that fails", () => {
  test("offline, and after the session has ended, leaves the text, says so, and can be tried again", async ({
    owner,
    site,
  }) => {
    await openEditor(owner, site);
    await choose(owner, file("a.jpg", "image/jpeg", await draw(owner, { width: 300, height: 200 })));
    const again = status(owner).getByRole("button", { name: "Try again" });
    await owner.context().setOffline(true);
    await describe(owner, "A stall");
    await expect(status(owner)).toContainText("The picture did not arrive. Check your connection.");
    await owner.context().setOffline(false);
    const cookies = await owner.context().cookies();
    await owner.context().clearCookies();
    await again.click();
    await expect(status(owner)).toContainText("Your session has ended, and the picture was not stored.");
    await owner.context().addCookies(cookies);
    await owner.route("**/owner/pictures", (route) => route.fulfill({ status: 503, body: "Down" }), { times: 1 });
    await again.click();
    await expect(status(owner)).toContainText("The site could not store the picture.");
    await expect(text(owner)).toHaveValue("Hello.");
    await again.click();
    await added(owner, site);
    await expect(text(owner)).toHaveValue(/^Hello\.\n\n!\[A stall\]\(/);
  });

  test("because the connection is cut in the middle stores nothing", { tag: "@slow" }, async ({ owner, site }) => {
    const count = async () => (await site.rows("pictures")).length;
    const before = await count();
    const cookies = (await owner.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const { host, hostname, port } = new URL(site.url);
    const photo = await draw(owner, { width: 1_200, height: 900, noise: 40, quality: 0.8 });
    const field = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const head = `POST /owner/pictures HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${site.url}\r\nCookie: ${cookies}
Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${photo.length + 500}\r\n\r\n`.replace(
      /\r?\n/g,
      "\r\n",
    );
    for (const share of [0.01, 0.5, 1]) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(head + field("intent", "add") + field("alt", "A stall"));
      socket.write('--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n');
      await new Promise((resolve) => socket.write(photo.subarray(0, photo.length * share), resolve));
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await count()).toBe(before);
    // The site goes on.
    await openEditor(owner, site);
    await choose(owner, file("a.jpg", "image/jpeg", photo));
    await describe(owner, "A stall");
    await added(owner, site);
    expect(await count()).toBe(before + 1);
  });
});

test("a letter shows its picture in the preview, to recipients and on its page", slow, async ({ owner, site }) => {
  await openEditor(owner, site);
  await choose(owner, file("a.jpg", "image/jpeg", await draw(owner, { width: 800, height: 400 })));
  await describe(owner, "A stall by night");
  const address = await added(owner, site);
  const body = await text(owner).inputValue();
  await owner.goto(`${site.url}/owner/letters/new`);
  await owner.locator("#subject").fill("A letter with a picture");
  await owner.locator("#body").fill(body);
  await owner.locator(".actions button[value=preview]").click();
  await owner.waitForURL(/preview/);
  const picture = owner.frameLocator("iframe").first().getByRole("img", { name: "A stall by night" });
  await expect(picture).toHaveAttribute("src", address);
  await expect
    .poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)))
    .toBe(800);
  const path = new URL(owner.url()).pathname.replace("/preview", "");
  await owner.goto(`${site.url}${path}/send`);
  await expect(owner.locator("main")).not.toContainText("cannot be sent as it is");
});

test("the page of pictures is sound", slow, async ({ owner, site }) => {
  test.setTimeout(120_000);
  await owner.goto(`${site.url}/owner/pictures`);
  await owner
    .locator("#picture")
    .setInputFiles(file("a.png", "image/png", await draw(owner, { width: 300, height: 200, type: "image/png" })));
  await owner.locator("#alt").fill("A stall");
  await owner.getByRole("button", { name: "Upload" }).click();
  await expect(owner.getByRole("status")).toContainText("The picture is stored.");
  await expectSound(owner, { name: "pictures", path: "/owner/pictures?done=picture-added" }, site.url);
});
