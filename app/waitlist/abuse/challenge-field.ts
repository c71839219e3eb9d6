/** Name of the field in which Turnstile's widget leaves its token; the widget chose it. */
export const CHALLENGE_FIELD = "cf-turnstile-response";
