import { type MouseEvent, type ReactNode, useState } from "react";
import type { Role } from "#app/server/db/schema/entries.server.ts";
import { postForReply } from "#app/waitlist/api-client.ts";
import type { RoleAnswer } from "#app/waitlist/form-action.server.ts";
import { RoleChoices } from "#app/waitlist/role-choices.tsx";
import { ROLE_TOKEN_FIELD } from "#app/waitlist/roles.ts";

interface RoleQuestionProps {
  /** The question's anchor on the page. Without JavaScript the page scrolls there to show the response. */
  id: string;
  /** The sign-up form that the question belongs to. */
  source: string;
  /** Authorises the answer. */
  token: string;
  /** The response to an answer given without JavaScript, if any. */
  initial: RoleAnswer | undefined;
}

/** Asks someone who has just joined what brings them here. Each answer is one press, and can be changed. */
export default function RoleQuestion({ id, source, token, initial }: RoleQuestionProps): ReactNode {
  const [answer, setAnswer] = useState(initial);
  const [pending, setPending] = useState<string>();

  async function press(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    if (pending !== undefined) return;
    const role = event.currentTarget.value as Role;
    setPending(role);
    const reply = await postForReply("/api/role", { [ROLE_TOKEN_FIELD]: token, role });
    setPending(undefined);
    setAnswer({ ...reply, role: reply.ok ? role : (answer?.role ?? null) });
  }

  return (
    <form id={id} className="card role-question" method="post" action={`#${id}`}>
      {answer?.code === "invalid-token" ? null : (
        <RoleChoices chosen={pending ?? answer?.role} busy={pending !== undefined} onPress={press} />
      )}
      <input type="hidden" name="source" value={source} />
      <input type="hidden" name={ROLE_TOKEN_FIELD} value={token} />
      {answer === undefined ? null : <p data-status={answer.ok ? "success" : "error"}>{answer.message}</p>}
    </form>
  );
}
