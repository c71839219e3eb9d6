import type { MouseEvent } from "react";
import { openForm } from "#app/waitlist/sign-up/step-back.ts";
import { SUGGESTED_FIELD, suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

/**
 * Offers a corrected address where the domain is probably misspelt. Accepting it submits the form. `suggestion`: from the
 * server; `typed`: what was typed, where the server has not seen it.
 */
export function Suggestion(props: { formId: string; suggestion?: string | undefined; typed?: string | undefined }) {
  const { formId, typed, suggestion = suggestAddress(typed) } = props;
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
  if (!form || !field) return;
  openForm(form, true);
  field.value = value;
  form.querySelector("button")?.focus();
}
