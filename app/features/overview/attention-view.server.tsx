import { Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { Lines, Section } from "#app/owner/ui/page.server.tsx";

/** What needs the owner's attention, each item with its action. Nothing if all is well. */
export function Attention({ items }: { items: AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <Section id="attention" title="Needs attention">
      <ul className="bare-list attention">
        {items.map((item) => (
          <li key={item.text}>
            <div>
              <Lines text={item.text} />
            </div>
            <Action action={item.action} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Action({ action }: Pick<AttentionItem, "action">) {
  if (action === undefined) return null;
  if ("href" in action) {
    const { label, about, href } = action;
    const name = (
      <>
        {label}
        {about && <span className="visually-hidden"> {about}</span>}
      </>
    );
    return <ButtonLink kind="quiet" label={name} href={href} />;
  }
  const { label, post, fields = {} } = action;
  return (
    <form method="post" action={post}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button kind="quiet" label={label} />
    </form>
  );
}
