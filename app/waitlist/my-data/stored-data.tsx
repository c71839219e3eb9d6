import { Details, OwnPage } from "#app/waitlist/my-data/my-data.tsx";
import type { readStoredData } from "#app/waitlist/my-data/stored-data.server.ts";

interface StoredDataPageProps {
  data: NonNullable<Awaited<ReturnType<typeof readStoredData>>>;
  entryPath: string;
  exportPath: string;
}

export function StoredDataPage({ data: { details, emails }, entryPath, exportPath }: StoredDataPageProps) {
  return (
    <OwnPage heading="Your data">
      <p className="lead">This is what we store about you. Empty fields are left out. Times are in UK time.</p>
      <Details rows={details} />
      <section aria-labelledby="emails">
        <h2 id="emails">Emails to you</h2>
        {emails.length === 0 ? <p>We have no record of any.</p> : <Details rows={emails} />}
      </section>
      <p>
        We also store a keyed hash of your mailbox, which limits how many emails it gets. It means nothing without our
        key, so it is not shown.
      </p>
      <form className="your-entry-download" method="post" action={exportPath}>
        <button className="button" type="submit">
          Download my data
        </button>
        <p>Every field, as a JSON file that other programs can read.</p>
      </form>
      <p>
        <a className="quiet-link" href={entryPath}>
          Back to your entry
        </a>
      </p>
    </OwnPage>
  );
}
