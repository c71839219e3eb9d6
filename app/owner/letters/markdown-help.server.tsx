import { Table } from "#app/owner/ui/data.server.tsx";
import { questions } from "#app/site.ts";

/** How letters are written; see `parse-letter.server.ts`. */
export function MarkdownHelp() {
  return (
    <details className="data letter-help">
      <summary>How to write headings, links, buttons and greetings</summary>
      <Table
        caption="Leave an empty line between paragraphs. A line break is kept."
        columns={[
          { name: "For", cell: ([name]) => name },
          { name: "Write", kind: "words", cell: ([, text]) => <pre>{text}</pre> },
        ]}
        rows={[...forms, ...greetings]}
        rowKey={([name]) => name}
      />
      <p>
        Links and images begin with <code>https://</code>. Do not write HTML, tables or code. A backslash in front of a
        sign, such as <code>\*</code>, shows the sign itself.
      </p>
      {questions.length === 0 ? null : (
        <p>
          Answers work in the subject and the preview line, too. The words after the <code>|</code> sign are for people
          without an answer, and for the letter’s page on the web.
        </p>
      )}
    </details>
  );
}

const forms: [name: string, text: string][] = [
  ["A heading", "# Large\n## Medium\n### Small"],
  ["Bold, italics", "**bold** and *italics*"],
  ["A list", "- apples\n- pears"],
  ["A numbered list", "1. First\n2. Then"],
  ["A link", "[the map](https://example.com/map)"],
  ["A button: a bold link in a paragraph of its own", "**[Open the map](https://example.com/map)**"],
  [
    "An image in a paragraph of its own, with words for those who do not see it",
    "![A stall](https://example.com/stall.jpg)",
  ],
  ["A quotation", "> It was a good day."],
  ["A line across", "---"],
  ["A new line", "One\nTwo"],
  ["A link to your site, which the site fills in", "[our site]({{site}}/)"],
  ["One more link to unsubscribe", "[Unsubscribe]({{unsubscribe}})"],
];

const greetings = questions.map(({ key, label }): [name: string, text: string] => [
  `The reader’s answer to “${label}”`,
  `{{${key}|there}}`,
]);
