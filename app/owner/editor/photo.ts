import { decode, encode, PictureError } from "#app/owner/editor/pictures.ts";
import { MAX_PHOTO_BYTES, PHOTO_SIDE } from "#app/server/pictures/picture-limits.ts";

/**
 * Cuts a photograph that is chosen to a square and makes it small, before its form is sent. What happens, and what went wrong,
 * stands in a line below the input.
 */
export function shrinkPhoto(input: HTMLInputElement): void {
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  input.insertAdjacentElement("afterend", status);

  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (file === undefined) return say("");
    // Keeps the form from being sent meanwhile.
    input.setCustomValidity("Wait until the photograph has been made smaller.");
    say("Making the photograph smaller…");
    try {
      const small = await toSquare(file);
      const chosen = new DataTransfer();
      chosen.items.add(new File([small], "photograph.jpg", { type: small.type }));
      input.files = chosen.files;
      say("The photograph is ready. It is stored when you save.");
    } catch (error) {
      input.value = "";
      say(
        error instanceof PictureError ? error.message : "The photograph could not be read. Choose another one.",
        true,
      );
    } finally {
      input.setCustomValidity("");
    }
  });

  function say(text: string, isProblem = false): void {
    status.className = isProblem ? "problem" : "hint";
    status.textContent = text;
  }
}

/** The middle of a wide photograph, and the upper part of a tall one, where faces are. */
async function toSquare(file: File): Promise<Blob> {
  const bitmap = await decode(file);
  try {
    const side = Math.min(bitmap.width, bitmap.height);
    const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 3];
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.min(side, PHOTO_SIDE);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.imageSmoothingQuality = "high";
    // Behind what is transparent.
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.85, 0.7, 0.5]) {
      const jpeg = await encode(canvas, "image/jpeg", quality);
      if (jpeg.size <= MAX_PHOTO_BYTES) return jpeg;
    }
    throw new PictureError("The photograph cannot be made small enough. Choose another one.");
  } finally {
    bitmap.close();
  }
}
