/** Where forms on other sites are sent. */
export const EMBED_PATH = "/api/embed";
