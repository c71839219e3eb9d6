import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";

interface NewKeyProps {
  name: string;
  /** The key itself. */
  key: string;
  siteUrl: string;
}

/** The only page that shows a key. */
export function newKeyView({ name, key, siteUrl }: NewKeyProps) {
  return (
    <Page title="New API key" section="api-keys" back={{ href: "/owner/api-keys", name: "Back to the keys" }}>
      <Message kind="success">{`The key “${name}” is ready.`}</Message>
      <Section id="key" title="Copy it now">
        <p>This page shows the key once. Only a hash is stored, so no one can show it again, not even you.</p>
        <code className="code-block">{key}</code>
        <p className="hint">
          Store it where your program stores its passwords. Anyone who has it can do what it allows, without signing in.
        </p>
      </Section>
      <Section id="try" title="Try it">
        <p>Run this command in a terminal, or give it to your developer. Never put the key in a web address.</p>
        <code className="code-block">{`curl -H "Authorization: Bearer ${key}" ${siteUrl}/api/v1/key`}</code>
      </Section>
      <Actions>
        <ButtonLink label="I have copied the key" href="/owner/api-keys" />
      </Actions>
    </Page>
  );
}
