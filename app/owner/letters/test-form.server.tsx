import type { Subject } from "#app/owner/letters/email-preview.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Problem } from "#app/owner/ui/field.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";

interface TestFormProps extends Pick<Subject, "name"> {
  action: string;
  /** The owner's address. */
  owner: string;
  isReady: boolean;
  /** Why the last test was not sent. */
  problem: string | undefined;
}

/** Sends a letter or a follow-up to the owner. */
export function TestForm({ name, action, owner, isReady, problem }: TestFormProps) {
  return (
    <Section id="test" title="Try it">
      <ButtonForm
        action={action}
        text={
          <>
            {`Sends the ${name} to `}
            <strong>{owner}</strong> as people without answers get it. Look at it on a phone and on a computer.
          </>
        }
        value="test"
        label="Send a test to myself"
        disabled={!isReady}
        describedBy={problem === undefined ? undefined : "test-problem"}
      />
      <Problem id="test-problem">{problem}</Problem>
    </Section>
  );
}
