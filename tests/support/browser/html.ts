import { HtmlValidate } from "html-validate";

/** Validation errors of an HTML document. */
export async function htmlProblems(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  return messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
}

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React's spelling, which the standard allows.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "doctype-style": "off",
    // Titles end with the site's name.
    "long-title": "off",
    // React Router would take a script without a type for one of its own.
    "script-type": "off",
    // React writes some attributes in camel case; HTML is case-insensitive.
    "attr-case": "off",
    // Checkboxes of one question share a name, as radio buttons do.
    "form-dup-name": ["error", { shared: ["button", "checkbox", "radio", "reset", "submit"] }],
    // Same-origin files need no integrity hash.
    "require-sri": ["error", { target: "crossorigin" }],
  },
});
