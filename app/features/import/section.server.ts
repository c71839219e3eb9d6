import styles from "#app/features/import/import.css?url";
import { changeImport, showImport, withImport } from "#app/features/import/import-page.server.ts";
import { importsInNeed, showImports, uploadFile } from "#app/features/import/imports-page.server.tsx";
import { downloadProblems, redirectToImport } from "#app/features/import/problems-page.server.tsx";
import { MAX_UPLOAD_SIZE } from "#app/features/import/upload.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const importSection: OwnerSection = {
  section: "import",
  styles,
  link: { href: "/owner/import", name: "Import" },
  routes: [
    { method: "get", path: "/import", handler: (c) => showImports(c) },
    { method: "post", path: "/import", handler: uploadFile, maxBody: MAX_UPLOAD_SIZE, tooLarge: "streamed" },
    { method: "get", path: "/import/:id", handler: withImport(showImport) },
    { method: "post", path: "/import/:id", handler: withImport(changeImport) },
    { method: "get", path: "/import/:id/problems.csv", handler: redirectToImport },
    { method: "post", path: "/import/:id/problems.csv", handler: withImport(downloadProblems) },
  ],
  attention: importsInNeed,
  subject: { key: "importId", name: "import", path: "/owner/import", endedBy: "discard-import" },
};
