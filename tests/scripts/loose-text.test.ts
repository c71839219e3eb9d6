import { expect, test } from "vitest";
import { looseText } from "#scripts/lib/loose-text.ts";

const view = (children: string) =>
  `import { site } from "#app/site.ts"; const View = ({ x, list, children }) => <p>${children}</p>;`;

test.each([
  "{x ? <i /> : null}{x ? 'Joining...' : 'Join Waitlist'}",
  "Text {x && <i />}",
  "Text {list.map((each) => <i key={each} />)}",
  "Text {x}",
  "{site.name}{x ? <i /> : null}",
  "{x ? <i /> : null}{x?.name}",
  "<b /> {x.name}",
  "<b /> {x + ' more'}",
  "Text <>{x} <i /></>",
])("finds what a translation would break: %s", (children) => {
  expect(looseText("a.tsx", view(children))).toHaveLength(1);
});

test.each([
  "{x ? 'Joining...' : 'Join Waitlist'}",
  "{x ? <i /> : null}<span>{x}</span>",
  "Text <b>{x}</b> and {site.name} {site.name + 's'}",
  "{x ? <i /> : null}{list.map((each) => <i key={each} />)}{children}",
  "{site.launch === null ? 'Later' : 'Soon'} <i />",
  "Text {/* why */}",
  "{x ? <i /> : null}{x?.(list)}",
])("accepts what it would not: %s", (children) => {
  expect(looseText("a.tsx", view(children))).toEqual([]);
});
