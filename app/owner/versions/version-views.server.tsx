import { formatTime } from "#app/owner/ui/labels.ts";
import { Message } from "#app/owner/ui/page.server.tsx";
import type { Conflict, FormVersion } from "#app/owner/versions/versions.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";

/** What a form posts along, so that it cannot replace what its owner has not seen. */
export function VersionInputs({ version, form }: FormVersion) {
  return (
    <>
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="form" value={form} />
    </>
  );
}

/** Leads to the earlier versions of a text. @param path where its form is posted to */
export function VersionsLink({ path }: { path: string }) {
  return (
    <p>
      <a className="quiet-link" href={versionsPath(path)}>
        Earlier versions
      </a>
    </p>
  );
}

export function versionsPath(path: string): string {
  return `/owner/versions?${new URLSearchParams({ of: path })}`;
}

interface ConflictProps extends Conflict {
  timeZone: string;
  /** Whether earlier texts can be read (default: yes). */
  hasVersions?: boolean;
}

/** Both texts of a refused form. The form below it has what was typed. */
export function ConflictView({ present, typed, saved, timeZone, hasVersions = true }: ConflictProps) {
  const isChanged = ([name, value]: SavedFields[number]) =>
    !present.some((own) => own[0] === name && own[1] === value) ||
    !typed.some((own) => own[0] === name && own[1] === value);
  const who =
    saved === null ? "Another text was saved" : `${saved.by} saved another text on ${formatTime(saved.at, timeZone)}`;
  return (
    <section className="conflict" aria-labelledby="conflict">
      <Message kind="error" role="alert">
        <h2 id="conflict">{`${who}, after you had opened this page`}</h2>
        <p>
          Yours is not saved yet; nothing is lost. The form below has what you typed: copy into it what you want to keep
          of the other text, then save it. {hasVersions ? "The other text stays among the earlier versions." : null}
        </p>
      </Message>
      <div className="columns conflict-texts">
        {[
          { title: "Saved", fields: present },
          { title: "What you typed", fields: typed },
        ].map(({ title, fields }) => (
          <section key={title} className="panel">
            <h3>{title}</h3>
            <TextFields fields={fields.filter(isChanged)} />
          </section>
        ))}
      </div>
    </section>
  );
}

/** What a form holds, to be read. */
export function TextFields({ fields }: { fields: SavedFields }) {
  if (fields.length === 0) return <p>No text.</p>;
  return (
    <dl className="text-fields">
      {fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name can come twice
        <div key={index}>
          <dt>{fieldLabel(name)}</dt>
          <dd>
            <pre>{value === "" ? "–" : value}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `Preview line` for `preview-line`. */
export function fieldLabel(name: string): string {
  const words = name.replace(/[-_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
