import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";

const clone = cleanClone();
afterAll(() => clone.remove());

test.each(["start", "dev"])(
  "npm run %s rejects unknown and malformed variables in .dev.vars, like those of --var",
  async (script) => {
    writeFileSync(join(clone.folder, ".dev.vars"), "OWNER_MAIL=ada@market.test\nSURVEY_URL=http://forms.test\n");
    const { code, err } = await runScript(script, [], { folder: clone.folder });
    expect(code).toBe(2);
    expect(err).toContain("OWNER_MAIL: is not a variable of this site. docs/configuration.md lists them.");
    expect(err).toMatch(/^SURVEY_URL: must be /m);
    // Before anything was built or migrated.
    for (const folder of ["build", ".wrangler"]) expect(existsSync(join(clone.folder, folder))).toBe(false);
  },
);
