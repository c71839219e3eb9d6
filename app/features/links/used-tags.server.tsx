import { LetterButton } from "#app/features/links/letter-button.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";

interface UsedTagsProps {
  names: Record<"utm_source" | "utm_campaign", string[]>;
  hasLetters: boolean;
}

/** The labels that people joined by, each with its people; nothing if there are none. */
export function UsedTags({ names, hasLetters }: UsedTagsProps) {
  const tags = [
    ...names.utm_campaign.map((name) => ({ name, kind: "utm_campaign" as const, label: "Campaign" })),
    ...names.utm_source.map((name) => ({ name, kind: "utm_source" as const, label: "Source" })),
  ].map((tag, index) => ({ ...tag, id: `tag-${index}` }));
  if (tags.length === 0) return null;
  return (
    <Section id="used" title="People who joined through a link">
      <Table
        className="cards tag-table"
        labelledBy="used"
        columns={[
          {
            name: "Label",
            kind: "words",
            cell: ({ name, kind, id }) => (
              <a id={id} href={`/owner/entries?${new URLSearchParams({ [kind]: name })}`}>
                {name}
              </a>
            ),
          },
          { name: "Kind", cell: ({ label }) => label },
          ...(hasLetters
            ? [
                {
                  name: "Letter",
                  cell: ({ name, kind, id }: (typeof tags)[number]) => (
                    <LetterButton link={{ [kind]: name }} label="Write them a letter" describedBy={id} />
                  ),
                },
              ]
            : []),
        ]}
        rows={tags}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
