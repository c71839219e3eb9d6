import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { type FieldName, fieldLabels, fieldNames } from "#app/features/import/file/fields.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { meaningsOf, type WordQuestion, wordQuestions } from "#app/features/import/open-questions.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field, Group } from "#app/owner/ui/field.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";

interface ImportQuestionsProps {
  report: ImportReport;
  settings: ImportSettings | null;
  checkedAt: number | null;
}

export function ImportQuestions({ report, settings, checkedAt }: ImportQuestionsProps) {
  const asked = wordQuestions(report, settings);
  const { ambiguousDates } = report;
  if (asked.length === 0 && ambiguousDates === 0) return null;
  return (
    <Section id="questions" title="What does the file mean?">
      <form className="form" method="post">
        <input type="hidden" name="checked" value={String(checkedAt)} />
        {ambiguousDates === 0 ? null : (
          <Group legend="Dates">
            <Field
              name="dates"
              label="Dates such as 03/04/2026 are"
              hint={`${counted(ambiguousDates, "date", "dates")} can be read in two ways, and no other date in the file shows which is right.`}
              options={{ "": "Choose", "day-first": "3 April (day first)", "month-first": "4 March (month first)" }}
            />
          </Group>
        )}
        {asked.map((question) => (
          <Words key={question.field} {...question} />
        ))}
        <Button label="Check the file again" value="settle" />
      </form>
    </Section>
  );
}

function Words({ field, words, meanings, isRequired }: WordQuestion) {
  const hint = isRequired
    ? "This site does not know these words. Only people who agreed to emails may get them."
    : "These are not among the answers. The people are added in any case.";
  return (
    <Group legend={fieldName(field)} hint={hint}>
      {words.map(({ word, rows, meaning }, index) => (
        <Field
          key={word}
          name={`${field}.${index}`}
          id={`${field}-${index}`}
          label={`“${word}” (${counted(rows, "row", "rows")})`}
          options={meanings}
          value={meaning}
        />
      ))}
    </Group>
  );
}

/** What the file leaves empty because its values are not known, and nobody needs to say what they mean. */
export function valuesLeftEmpty({ words = {} }: ImportReport): string[] {
  return fieldNames.flatMap((field) => {
    const rows = Object.values(words[field] ?? {}).reduce((sum, count) => sum + count, 0);
    if (rows === 0 || meaningsOf(field) !== undefined) return [];
    return [`${fieldName(field)} is left empty in ${counted(rows, "row", "rows")}, because the value is not known.`];
  });
}

/** A field's label without examples of its values. */
function fieldName(field: FieldName): string {
  return (fieldLabels[field] ?? field).replace(/ \(.*/, "");
}
