import { useId } from "react";
import { Link, useActionData } from "react-router";
import type { FormAnswer } from "#app/waitlist/form-post.server.ts";
import { HONEYPOT_FIELD } from "#app/waitlist/honeypot.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/sources.ts";
import { useSignUp } from "#app/waitlist/use-sign-up.ts";
import "#app/waitlist/sign-up.css";

interface SignUpFormProps {
  /** The form's anchor on the page: without JavaScript the answer is shown there. */
  id: string;
  /** Where on the site the visitor signed up. */
  source?: string;
}

/** The one waitlist form. It posts to the page it stands on, so that the page's campaign parameters go with it. */
export function SignUpForm({ id, source = DEFAULT_SOURCE }: SignUpFormProps) {
  const answer = useAnswer(source);
  const { state, submit, challenge } = useSignUp(answer);
  const emailId = useId();
  const messageId = useId();
  const loading = state.status === "loading";
  const failed = state.status === "error";

  return (
    <form
      id={id}
      className="sign-up"
      method="post"
      action={`#${id}`}
      noValidate
      onSubmit={submit}
      {...challenge.onIntent}
      toolname={`join_waitlist_${source}`}
      tooldescription="Puts an e-mail address on the waitlist and sends it one welcome mail. Ask the person first."
    >
      <label className="sign-up-label" htmlFor={emailId}>
        Your e-mail address
      </label>
      <div className="sign-up-row">
        <input
          id={emailId}
          className="sign-up-input"
          type="email"
          name="email"
          placeholder="Enter your email"
          defaultValue={answer?.status === "error" ? answer.email : ""}
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          required
          readOnly={loading}
          aria-invalid={failed || undefined}
          aria-describedby={messageId}
          toolparamdescription="The person's own e-mail address"
        />
        <button className="button" type="submit" aria-disabled={loading || undefined}>
          {loading ? <span className="spinner" aria-hidden="true" /> : null}
          {loading ? "Joining..." : "Join Waitlist"}
        </button>
      </div>
      <input type="hidden" name="source" value={source} />
      <div className="sign-up-trap" aria-hidden="true">
        <label>
          Leave this empty
          <input type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {challenge.place === null ? null : <div ref={challenge.place} className="sign-up-challenge" />}
      <p id={messageId} className="sign-up-message" data-status={state.status} role="status">
        {state.message}
      </p>
      <p className="sign-up-promise">
        One welcome mail now, then only news of the launch, at most once a month.{" "}
        <Link to="/privacy">Privacy policy</Link>
      </p>
    </form>
  );
}

/** The server's answer to this very form, when it was sent without JavaScript. */
function useAnswer(source: string): FormAnswer | undefined {
  const answer = useActionData<FormAnswer>();
  return answer?.source === source ? answer : undefined;
}
