import type { MouseEvent, ReactNode } from "react";
import { SUGGESTED_FIELD, suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

interface SuggestionProps {
  formId: string;
  /** From the server. */
  suggestion?: string | undefined;
  /** What was typed, where the server has not seen it. */
  typed?: string | undefined;
}

/** Offers a corrected address where the domain is probably misspelt. Accepting it submits the form. */
export function Suggestion({ formId, typed, suggestion = suggestAddress(typed) }: SuggestionProps): ReactNode {
  if (suggestion === undefined) return null;
  return (
    <p className="sign-up-suggestion">
      <span>{`Did you mean ${suggestion}?`}</span>{" "}
      <button
        className="button button-quiet"
        type="submit"
        form={formId}
        name={SUGGESTED_FIELD}
        value={suggestion}
        // Without JavaScript the field is empty, or holds the address that was refused.
        formNoValidate
        onClick={accept}
      >
        {`Use ${suggestion} instead`}
      </button>
    </p>
  );
}

/** Puts the suggestion into the field before its button submits the form. The button itself disappears. */
function accept({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>): void {
  const field = form?.querySelector("input");
  if (!field) return;
  field.value = value;
  form?.querySelector("button")?.focus();
}
