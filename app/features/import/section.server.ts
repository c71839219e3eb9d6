import { MAX_UPLOAD_SIZE } from "#app/features/import/file/read-csv.server.ts";
import styles from "#app/features/import/import.css?url";
import { changeImport, downloadProblems, showImport } from "#app/features/import/import-page.server.tsx";
import { importsInNeed, refuseLargeFile, showImports, uploadFile } from "#app/features/import/imports-page.server.tsx";
import type { OwnerHandler, OwnerSection } from "#app/owner/ui/owner-context.ts";

/** With the form's other bytes. */
const upload = { handler: uploadFile, maxBody: MAX_UPLOAD_SIZE + 4_096, tooLarge: refuseLargeFile };

/** The address of a download leads to the page that offers it. */
const toImport: OwnerHandler = (c) => c.redirect(`/owner/import/${c.req.param("id")}`, 302);

export const importSection: OwnerSection = {
  section: "import",
  styles,
  link: { href: "/owner/import", name: "Import" },
  routes: [
    { method: "get", path: "/import", handler: (c) => showImports(c) },
    { method: "post", path: "/import", ...upload },
    { method: "get", path: "/import/:id", handler: showImport },
    // Up to 50 words of each column.
    { method: "post", path: "/import/:id", handler: changeImport, maxBody: 300_000 },
    { method: "get", path: "/import/:id/problems.csv", handler: toImport },
    { method: "post", path: "/import/:id/problems.csv", handler: downloadProblems },
  ],
  attention: importsInNeed,
  subject: { key: "importId", name: "import", path: "/owner/import", endedBy: "discard-import" },
};
