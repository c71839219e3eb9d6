import { picturePath } from "#app/owner/pictures/picture-path.ts";
import { addPicture } from "#app/owner/pictures/pictures.server.ts";
import { readPicture, tooManyBytes } from "#app/owner/pictures/read-picture.server.ts";
import { ChoiceField, Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { MAX_PHOTO_BYTES, MAX_PHOTO_SIDE } from "#app/server/pictures/picture-limits.ts";

/* A photograph: a file that is chosen, or the one that is there, or none. A setting has its path. */

const limits = { width: MAX_PHOTO_SIDE, height: MAX_PHOTO_SIDE, bytes: MAX_PHOTO_BYTES };

export const TOO_LARGE_PHOTO = tooManyBytes(limits);

/** Bytes of a form with one: with what is taken out of it. */
export const MAX_PHOTO_FORM = MAX_PHOTO_BYTES + 200 * 1_024;

/** How much longer than the other a side may be: it is shown as a square. */
const MAX_RATIO = 1.5;

/**
 * The path of the photograph that a form asks for; empty for none. One that was chosen is stored at once, so that a form
 * which is refused has it still.
 *
 * @param name of the field
 * @param alt describes a photograph that was chosen
 */
export async function readPhoto(
  c: OwnerContext,
  name: string,
  alt: string,
): Promise<{ text: string; problem?: string }> {
  const { app, form } = c.var;
  const text = form.get(`${name}-removed`) === "yes" ? "" : fieldText(form, name).trim();
  const file = form.get(`${name}-file`);
  if (!(file instanceof File) || file.size === 0) return { text };
  const picture = readPicture(await file.bytes(), limits);
  if ("problem" in picture) return { text, problem: picture.problem };
  const { width, height } = picture;
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height)) return { text, problem: NOT_SQUARE };
  return { text: picturePath(await addPicture(app.db, { ...picture, alt }, app.now())) };
}

const NOT_SQUARE = "The photograph is shown as a square. Cut it to one, around the face, and choose it again.";

/** @param props.value its path */
export function PhotoField({ name, label, value, problem }: PhotoFieldProps) {
  return (
    <div className="photo-field" data-photo="">
      <Field
        name={`${name}-file`}
        label={label}
        type="file"
        accept="image/*"
        hint={`Your browser cuts it to a square and makes it small; without scripts, choose one of at most ${MAX_PHOTO_BYTES / 1_024} KB. The place and time at which it was taken are removed.`}
        problem={problem}
      />
      {value === "" ? null : (
        <div className="row">
          <img src={value} width={96} height={96} alt="The present photograph" />
          <input type="hidden" name={name} value={value} />
          <ChoiceField name={`${name}-removed`} type="checkbox" options={{ yes: "Remove it" }} value="" />
        </div>
      )}
    </div>
  );
}

interface PhotoFieldProps {
  name: string;
  label: string;
  value: string;
  problem: string | undefined;
}
