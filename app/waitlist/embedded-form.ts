/** Where forms on other sites are sent. */
export const EMBED_PATH = "/api/embed";

/** The field with the version of the consent wording beside such a form, which its site may show longer than we do. */
export const WORDING_FIELD = "wording";
