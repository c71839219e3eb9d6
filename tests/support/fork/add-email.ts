import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { edit, format, insertBelow, recipeCode } from "#tests/support/fork/edit.ts";

/** Adds the email `launch` to a clone, as its CONTRIBUTING.md says. */
export function addEmail(folder: string): void {
  const [template = ""] = recipeCode(folder, "Add an email to subscribers");
  const app = join(folder, "app");
  writeFileSync(join(app, "email", "templates", "launch-email.server.ts"), template);
  const schema = join(app, "server", "db", "schema", "email.server.ts");
  edit(schema, (text) => text.replace(/(type EntryEmailKind = .*);/, '$1 | "launch";'));
  insertBelow(schema, '  "my-data-link": 1,', "  launch: 1,");
  const render = join(app, "email", "render-email.server.ts");
  edit(render, (text) =>
    text.replace(
      "import { myDataLinkEmail",
      'import { launchEmail } from "#app/email/templates/launch-email.server.ts";\n$&',
    ),
  );
  insertBelow(render, '  "my-data-link": myDataLinkEmail,', "  launch: launchEmail,");
  insertBelow(
    join(app, "owner", "ui", "labels.ts"),
    '  "my-data-link": "New link to the entry",',
    '  launch: "Launch",',
  );
  insertBelow(
    join(app, "waitlist", "my-data", "stored-data.server.ts"),
    '  "my-data-link": "New link to your entry",',
    '  launch: "News of the launch",',
  );
  format(folder);
}
