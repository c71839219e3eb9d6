import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { type OwnerContext, type OwnerSection, parseId } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import { TextFields, versionsPath } from "#app/owner/versions/version-views.server.tsx";
import {
  findVersion,
  latestVersion,
  listVersions,
  type SavedVersion,
  versionOf,
} from "#app/owner/versions/versions.server.ts";

export const versionsSection: OwnerSection = {
  section: "versions",
  routes: [
    { method: "get", path: "/versions", handler: showVersions },
    { method: "get", path: "/versions/:id", handler: showVersion },
  ],
};

async function showVersions(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const path = c.req.query("of") ?? "";
  if (!path.startsWith("/owner/")) return c.notFound();
  const versions = await listVersions(db, path);
  return c.render(
    <Page title="Earlier versions" section="versions" back={{ href: path, name: "Back to the text" }}>
      <p className="lead">What was saved in the last 30 days, and at least the last 20 texts.</p>
      {versions.length === 0 ? (
        <p>Nothing has been saved here yet.</p>
      ) : (
        <Table
          className="cards"
          caption="Newest first"
          columns={[
            {
              name: "Saved",
              cell: ({ id, saved_at }) => <a href={`/owner/versions/${id}`}>{formatTime(saved_at, timeZone)}</a>,
            },
            { name: "By", kind: "words", cell: savedBy },
            { name: "Text", cell: ({ characters }) => counted(characters, "character", "characters") },
          ]}
          rows={versions}
          rowKey={({ id }) => id}
        />
      )}
    </Page>,
  );
}

async function showVersion(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const version = await findVersion(db, parseId(c.req.param("id")) ?? 0);
  const latest = version === null ? null : await latestVersion(db, version.path);
  if (version === null || latest === null) return c.notFound();
  const { path, fields, saved_at } = version;
  return c.render(
    <Page
      title={`Text saved on ${formatTime(saved_at, timeZone)}`}
      section="versions"
      back={{ href: versionsPath(path), name: "Earlier versions" }}
    >
      <p className="lead">{version.actor === null ? "The text from before." : `Saved by ${savedBy(version)}.`}</p>
      <div className="panel narrow">
        <TextFields fields={fields} />
      </div>
      {version.id === latest.id ? <p>This is the text that was saved last.</p> : null}
      <ButtonForm
        action={path}
        hidden={[...fields, ["version", await versionOf(latest.fields)]]}
        text="The present text then becomes one of the earlier versions."
        label="Bring this text back"
        kind="main"
        value="save"
      />
    </Page>,
  );
}

function savedBy({ actor, is_draft }: Pick<SavedVersion, "actor" | "is_draft">): string {
  if (actor === null) return "The text from before";
  return is_draft ? `${actor}, automatically` : actor;
}
