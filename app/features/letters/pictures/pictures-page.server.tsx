import { deletePicture, listPictures } from "#app/features/letters/pictures/listed-pictures.server.ts";
import { pictureMarkdown } from "#app/features/letters/pictures/picture-markdown.ts";
import { picturePath } from "#app/owner/pictures/picture-path.ts";
import { addPicture, type Picture, UNUSED_DAYS } from "#app/owner/pictures/pictures.server.ts";
import { readPicture, tooManyBytes } from "#app/owner/pictures/read-picture.server.ts";
import { Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { formatNumber, formatTime, kilobytes } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import { fieldText } from "#app/server/http/read-form.server.ts";
import {
  MAX_ALT_LENGTH,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_HEIGHT,
  MAX_PICTURE_WIDTH,
} from "#app/server/pictures/picture-limits.ts";

/** With what is taken out of a picture, and the rest of the form. */
export const MAX_UPLOAD_BYTES = MAX_PICTURE_BYTES + 50 * 1_024;

const PAGE_SIZE = 50;

export function showPictures(c: OwnerContext) {
  return renderPictures(c);
}

/** Adds a picture, also for the script of the editor, which wants JSON; or deletes one. */
export function changePictures(c: OwnerContext) {
  return runIntent(c, { add, delete: remove });
}

/** The response to a form that is too large to read. */
export function refuseLargePicture(c: OwnerContext) {
  return refuse(c, 413, { picture: tooManyBytes() });
}

async function add(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { form } = c.var;
  const file = form.get("picture");
  const alt = fieldText(form, "alt").replace(/\s+/g, " ");
  const given = file instanceof File && file.size > 0 ? readPicture(await file.bytes()) : { problem: NOT_CHOSEN };
  const problems: PictureProblems = { alt: altProblem(alt) };
  if ("problem" in given) return refuse(c, 422, { ...problems, picture: given.problem }, alt);
  if (problems.alt !== null) return refuse(c, 422, problems, alt);
  const picture = await addPicture(db, { ...given, alt }, now());
  const { key, width, height, size } = picture;
  await c.var.record("add-picture", { name: key, size: kilobytes(size) });
  if (!wantsJson(c)) return c.redirect("/owner/pictures?done=picture-added", 303);
  return c.json({ markdown: pictureMarkdown(alt, picture), url: picturePath(picture), width, height }, 201);
}

async function remove(c: OwnerContext) {
  const key = fieldText(c.var.form, "key");
  const isDeleted = await deletePicture(c.var.app.db, key);
  if (isDeleted) await c.var.record("delete-picture", { name: key });
  return c.redirect(`/owner/pictures?done=${isDeleted ? "picture-deleted" : "picture-used"}`, 303);
}

const NOT_CHOSEN = "Choose a picture.";

function altProblem(alt: string): string | null {
  if (alt === "") return "Describe the picture in a few words, for those who do not see it.";
  if (alt.length <= MAX_ALT_LENGTH) return null;
  return `The description has ${alt.length} characters. Shorten it to ${MAX_ALT_LENGTH}.`;
}

interface PictureProblems {
  picture?: string;
  alt?: string | null;
}

function refuse(c: OwnerContext, status: 413 | 422, problems: PictureProblems, alt = "") {
  const sentences = [problems.picture, problems.alt].filter((problem) => typeof problem === "string");
  if (wantsJson(c)) return c.json({ problem: sentences.join(" ") }, status);
  c.status(status);
  return renderPictures(c, { problems, alt });
}

function wantsJson(c: OwnerContext): boolean {
  return c.req.header("Accept") === "application/json";
}

async function renderPictures(c: OwnerContext, refused: { problems: PictureProblems; alt: string } | null = null) {
  const { db, timeZone } = c.var.app;
  const page = Math.max(1, parseId(c.req.query("page")) ?? 1);
  const found = await listPictures(db, { limit: PAGE_SIZE + 1, skipped: (page - 1) * PAGE_SIZE });
  const href = (to: number) => (to === 1 ? "/owner/pictures" : `/owner/pictures?page=${to}`);
  const { problems = {}, alt = "" } = refused ?? {};
  return c.render(
    <Page title="Pictures" section="pictures">
      <Outcome />
      <Problems problems={refused === null ? [] : ["The picture was not saved."]} />
      <form className="form narrow" method="post" action="/owner/pictures" encType="multipart/form-data">
        <Field
          name="picture"
          label="Picture"
          type="file"
          accept="image/jpeg,image/png,image/webp"
          hint={`A JPEG, PNG or WebP, at most ${formatNumber(MAX_PICTURE_WIDTH)} pixels wide, ${formatNumber(MAX_PICTURE_HEIGHT)} high and ${kilobytes(MAX_PICTURE_BYTES)}.`}
          required
          problem={problems.picture}
        />
        <Field
          name="alt"
          label="Description"
          hint="In a few words, for people who do not see it, or whose email program does not load it."
          value={alt}
          maxLength={MAX_ALT_LENGTH}
          required
          problem={problems.alt}
        />
        <Button label="Upload" value="add" />
      </form>
      <p className="hint">
        {`Where and with what it was taken is removed. Anyone who has a picture’s address can see it. One that no letter and no follow-up shows is deleted after ${UNUSED_DAYS} days.`}
      </p>
      {found.length === 0 ? null : (
        <Section id="stored" title={page === 1 ? "Stored pictures" : `Stored pictures, page ${page}`}>
          <ul className="bare-list pictures">
            {found.slice(0, PAGE_SIZE).map((picture) => (
              <StoredPicture key={picture.key} picture={picture} timeZone={timeZone} />
            ))}
          </ul>
          <Paging links={{ Newer: page > 1 && href(page - 1), Older: found.length > PAGE_SIZE && href(page + 1) }} />
        </Section>
      )}
    </Page>,
  );
}

function StoredPicture({ picture, timeZone }: { picture: Picture; timeZone: string }) {
  const { key, alt, width, height, size, created_at } = picture;
  return (
    <li className="panel">
      <img src={picturePath(picture)} alt={alt} width={width} height={height} loading="lazy" decoding="async" />
      <p className="hint">
        {`${formatNumber(width)} × ${formatNumber(height)} pixels, ${kilobytes(size)}, ${formatTime(created_at, timeZone)}`}
      </p>
      <div className="form">
        <Field
          name={`markdown-${key}`}
          label="Copy this into a letter"
          value={pictureMarkdown(alt, picture)}
          readOnly
        />
      </div>
      <Confirm
        label="Delete it"
        question="Delete the picture"
        action="/owner/pictures"
        hidden={{ key }}
        value="delete"
        text="It cannot be brought back."
      />
    </li>
  );
}
