import { expect, test } from "vitest";
import { problemText } from "#app/features/import/file/problems.ts";
import { hasOpenQuestions } from "#app/features/import/open-questions.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const files = import.meta.glob<string>("../exports/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});
const [guide = ""] = Object.values(
  import.meta.glob<string>("../../../../docs/import.md", { query: "?raw", import: "default", eager: true }),
);

interface Stored {
  email: string;
  status: string;
  unsubscribe_reason: string | null;
  created_at: number;
  answers: string | null;
}

/** What became of each person and each row that was left out, as rows of a table. */
async function outcomesOf(name: string, file: string): Promise<string[]> {
  const { report, settings } = await importHarness().import(file, { consentDate: "joined", monthFirst: null });
  const people = (await rows<Stored>("waitlist_emails")).map((entry) => {
    const status = [entry.status, entry.unsubscribe_reason === null ? "" : ` (${entry.unsubscribe_reason})`].join("");
    const { role } = JSON.parse(entry.answers ?? "{}");
    const joined = new Date(entry.created_at).toISOString().slice(0, 16).replace("T", " ");
    return `| ${name} | \`${entry.email.split("@")[0]}\` | ${status}, joined ${joined}${role === undefined ? "" : `, ${role}`} |`;
  });
  const leftOut = report.first.map((problem) => `| ${name} | line ${problem.line} | ${problemText(problem)} |`);
  const open = hasOpenQuestions(report, settings) ? [`| ${name} | the file | The owner is asked first |`] : [];
  return [...people, ...leftOut, ...open];
}

test.each(Object.entries(files))("%s: what becomes of each row is in docs/import.md", async (path, file) => {
  const name = /([\w-]+)\.csv/.exec(path)?.[1] ?? "";
  const lines = await outcomesOf(name, file);
  expect(lines.length).toBeGreaterThan(0);
  expect(guide.split("\n").filter((line) => line.startsWith(`| ${name} |`))).toEqual(lines);
});
