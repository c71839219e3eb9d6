import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { slow } from "#tests/support/browser/slow.ts";

const hasLibreOffice = spawnSync("soffice", ["--version"]).status === 0;

const formulas = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1;1)",
  '=HYPERLINK("https://evil.example","x")',
  '"; =1+1',
  "\t=1+1",
  "＝1+1",
  "x;=1+1;y",
];

test("LibreOffice opens an export with the right rows and runs no formula", slow, async ({ page }) => {
  test.skip(!hasLibreOffice, "LibreOffice is not installed (Debian: libreoffice-calc-nogui)");
  const site = await startOwnerSite(300);
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-spreadsheet-"));
  try {
    for (const [index, utm_campaign] of formulas.entries()) {
      const headers = { "CF-Connecting-IP": `192.0.2.${index}` };
      const data = { email: `=${index}+1@example.com`, utm_campaign, utm_term: "-1" };
      expect((await page.request.post(`${site.url}/api/signup`, { data, headers })).status()).toBe(201);
    }
    await signIn(page, site);
    const exported = join(folder, "exported.csv");
    const form = { format: "csv", people: "all" };
    writeFileSync(exported, await (await page.request.post(`${site.url}/owner/export.csv`, { form })).body());

    expect(readFileSync(convert(folder, exported, "fods"), "utf8")).not.toContain("table:formula");
    const lines = readFileSync(convert(folder, exported, "csv"), "utf8")
      .trimEnd()
      .split("\n");
    const emails = lines.map((line) => line.split(",")[1]);
    const expected = (await site.rows("waitlist_emails")).map(({ email }) => String(email).replace(/^=/, "'="));
    expect(emails).toEqual(["email", ...expected]);

    // Control: LibreOffice does run an unescaped formula.
    const unescaped = join(folder, "unescaped.csv");
    writeFileSync(unescaped, '"id","campaign"\r\n"1","=1+1"\r\n');
    expect(readFileSync(convert(folder, unescaped, "fods"), "utf8")).toContain("table:formula");
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true });
  }
});

/** @returns the converted file, as LibreOffice shows it */
function convert(folder: string, file: string, format: "fods" | "csv"): string {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const out = join(folder, "converted");
  execFileSync("soffice", [profile, "--headless", "--convert-to", format, "--outdir", out, file], {
    timeout: 60_000,
    stdio: "pipe",
  });
  return join(out, `${file.split("/").at(-1)?.replace(/csv$/, "")}${format}`);
}
