import {
  MAX_ALT_LENGTH,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_HEIGHT,
  MAX_PICTURE_WIDTH,
} from "#app/server/pictures/picture-limits.ts";

/** Of a file that is chosen. Larger ones may take more memory than a phone has. */
const MAX_FILE_BYTES = 25 * 1_048_576;
const MAX_PIXELS = 50_000_000;

/** Milliseconds. */
const UPLOAD_TIMEOUT = 60_000;

/** A reason in a sentence for the owner. */
export class PictureError extends Error {}

/**
 * Lets the owner add pictures to a text: chosen, dropped on it or pasted into it. Each is made small in the browser,
 * described in a dialog and uploaded. The text changes only once the picture is stored. What happens, and what went wrong,
 * stands in a line below the text.
 *
 * A paste that has a picture and no text is taken; other handlers of `paste` should leave one whose `defaultPrevented` is
 * set.
 *
 * @param insert puts Markdown into the text, in a paragraph of its own
 * @returns `choose` opens the dialog for files
 */
export function setUpPictures(
  textarea: HTMLTextAreaElement,
  insert: (markdown: string) => void,
): { choose: () => void } {
  const input = element("input", { type: "file", accept: "image/*", multiple: true, hidden: true });
  const status = element("p", { className: "hint" });
  status.setAttribute("role", "status");
  textarea.insertAdjacentElement("afterend", input);
  textarea.insertAdjacentElement("afterend", status);
  let queue = Promise.resolve();

  input.addEventListener("change", () => {
    take(Array.from(input.files ?? []));
    // So that the same file can be chosen again.
    input.value = "";
  });
  textarea.addEventListener("paste", (event) => {
    const files = Array.from(event.clipboardData?.files ?? []).filter(isPicture);
    // Word and spreadsheets add a picture of the text that was copied.
    const hasText = event.clipboardData?.getData("text/plain") !== "";
    if (files.length === 0 || hasText) return;
    event.preventDefault();
    take(files);
  });
  textarea.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  textarea.addEventListener("drop", (event) => {
    const files = Array.from(event.dataTransfer?.files ?? []);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
  return { choose: () => input.click() };

  /** One after the other, since each asks for its description. */
  function take(files: File[]): void {
    for (const file of files) queue = queue.then(() => add(file)).catch(report);
  }

  async function add(file: File): Promise<void> {
    say("Reading the picture…");
    const bitmap = await decode(file);
    try {
      say("");
      const alt = await askForDescription(bitmap);
      if (alt === null) return;
      say("Making the picture smaller…");
      const small = await shrink(file, bitmap);
      await send(small, alt);
    } finally {
      bitmap.close();
    }
  }

  async function send(picture: Blob, alt: string): Promise<void> {
    say("Uploading the picture…");
    try {
      insert(await upload(picture, alt));
      say("The picture is in the text.");
    } catch (error) {
      report(error);
      const again = element("button", { type: "button", className: "button button-quiet", textContent: "Try again" });
      again.addEventListener("click", () => {
        queue = queue.then(() => send(picture, alt));
      });
      status.appendChild(document.createTextNode(" "));
      status.appendChild(again);
    }
  }

  function report(error: unknown): void {
    say(error instanceof PictureError ? error.message : "The picture could not be added. Try another one.");
    status.className = "problem";
  }

  function say(text: string): void {
    status.className = "hint";
    status.textContent = text;
  }
}

function isPicture({ type }: File): boolean {
  return type.startsWith("image/");
}

/** @throws {@link PictureError} if the browser cannot show it, or it is too large */
export async function decode(file: File): Promise<ImageBitmap> {
  const isHeic = /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
  if (!isPicture(file) && !isHeic) throw new PictureError(`“${file.name}” is not a picture.`);
  if (file.size > MAX_FILE_BYTES) {
    throw new PictureError(`“${file.name}” is larger than ${MAX_FILE_BYTES / 1_048_576} MB. Choose a smaller picture.`);
  }
  // Turned as the camera says.
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => {
    throw new PictureError(
      isHeic
        ? "This browser cannot read HEIC pictures, as iPhones take them. Save it as a JPEG, or add it with Safari."
        : `This browser cannot read “${file.name}”. Save it as a JPEG, and try again.`,
    );
  });
  if (bitmap.width * bitmap.height <= MAX_PIXELS) return bitmap;
  bitmap.close();
  throw new PictureError(
    `“${file.name}” has more than ${MAX_PIXELS / 1_000_000} megapixels. Choose a smaller picture.`,
  );
}

/**
 * At most as wide, high and large as the site takes: as it is if it is a PNG that fits, such as a screenshot. Otherwise as a
 * PNG if it is transparent and fits so, and else as a JPEG, because Outlook shows no WebP.
 */
async function shrink(file: File, bitmap: ImageBitmap): Promise<Blob> {
  const { width, height } = bitmap;
  const fits = Math.min(1, MAX_PICTURE_WIDTH / width, MAX_PICTURE_HEIGHT / height);
  if (file.type === "image/png" && fits === 1 && file.size <= MAX_PICTURE_BYTES) return file;
  const canOnlyBeOpaque = file.type === "image/jpeg";
  if (!canOnlyBeOpaque) {
    const canvas = draw(bitmap, fits);
    const png = isTransparent(canvas) ? await encode(canvas, "image/png") : null;
    if (png !== null && png.size <= MAX_PICTURE_BYTES) return png;
  }
  for (let scale = fits; scale * width >= 1; scale *= 0.8) {
    const canvas = draw(bitmap, scale, "white");
    for (const quality of [0.85, 0.75, 0.65]) {
      const jpeg = await encode(canvas, "image/jpeg", quality);
      if (jpeg.size <= MAX_PICTURE_BYTES) return jpeg;
    }
  }
  throw new PictureError("The picture cannot be made small enough. Choose another one.");
}

/** @param background behind what is transparent */
function draw(bitmap: ImageBitmap, scale: number, background?: string): HTMLCanvasElement {
  const width = Math.max(1, Math.floor(bitmap.width * scale));
  const height = Math.max(1, Math.floor(bitmap.height * scale));
  const canvas = element("canvas", { width, height });
  const context = canvas.getContext("2d");
  if (context === null)
    throw new PictureError("This browser has too little memory for the picture. Choose a smaller one.");
  context.imageSmoothingQuality = "high";
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

function isTransparent(canvas: HTMLCanvasElement): boolean {
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return true;
  return false;
}

export function encode(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no blob")) : resolve(blob)), type, quality);
  });
}

/** @returns the Markdown. @throws {@link PictureError} */
async function upload(picture: Blob, alt: string): Promise<string> {
  const form = new FormData();
  form.set("intent", "add");
  form.set("picture", picture, "picture");
  form.set("alt", alt);
  const response = await fetch("/owner/pictures", {
    method: "POST",
    headers: { Accept: "application/json" },
    body: form,
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT),
  }).catch(() => {
    throw new PictureError("The picture did not arrive. Check your connection.");
  });
  if (response.status === 403) {
    throw new PictureError("Your session has ended, and the picture was not stored. Sign in in another tab.");
  }
  const answer = (await response.json().catch(() => ({}))) as { markdown?: string; problem?: string };
  if (answer.markdown === undefined) throw new PictureError(answer.problem ?? "The site could not store the picture.");
  return answer.markdown;
}

/** Shows the picture and asks what is to be seen. @returns null if the owner changes their mind */
function askForDescription(bitmap: ImageBitmap): Promise<string | null> {
  const preview = draw(bitmap, Math.min(1, 400 / bitmap.width, 240 / bitmap.height));
  preview.setAttribute("aria-hidden", "true");
  const title = element("h2", { id: "picture-title", className: "picture-title", textContent: "Describe the picture" });
  const hint = element("p", {
    id: "picture-hint",
    className: "hint",
    textContent: "In a few words, for people who do not see it, or whose email program does not load it.",
  });
  const label = element("label", { htmlFor: "picture-alt", textContent: "Description" });
  const alt = element("input", { id: "picture-alt", className: "field", required: true, maxLength: MAX_ALT_LENGTH });
  alt.setAttribute("aria-describedby", hint.id);
  alt.autocomplete = "off";
  const add = element("button", { type: "submit", className: "button", textContent: "Add the picture" });
  const cancel = element("button", { type: "button", className: "button button-quiet", textContent: "Cancel" });
  const form = element(
    "form",
    { className: "form", method: "dialog" },
    element("div", { className: "form-field" }, label, hint, alt),
    element("div", { className: "actions" }, add, cancel),
  );
  const dialog = element("dialog", { className: "picture-dialog" }, title, preview, form);
  dialog.setAttribute("aria-labelledby", title.id);
  document.body.appendChild(dialog);
  return new Promise((resolve) => {
    let given: string | null = null;
    form.addEventListener("submit", (event) => {
      given = alt.value.trim() || null;
      // Nothing but spaces, which `required` lets pass.
      if (given !== null) return;
      event.preventDefault();
      alt.value = "";
      alt.reportValidity();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    dialog.showModal();
    alt.focus();
  });
}

/** With Trusted Types, pages can have no markup from text. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  for (const child of children) created.appendChild(child);
  return created;
}
