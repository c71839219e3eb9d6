import { HtmlValidate } from "html-validate";

/** What is wrong with a document by the rules of HTML. */
export async function htmlProblems(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  return messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
}

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React's spelling, which the standard allows as well.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "doctype-style": "off",
    // Titles carry the site's name behind the page's own.
    "long-title": "off",
    // React writes some attributes in camel case; the standard reads them all the same.
    "attr-case": "off",
    // Our own files come from the server that sent the page.
    "require-sri": ["error", { target: "crossorigin" }],
  },
});
