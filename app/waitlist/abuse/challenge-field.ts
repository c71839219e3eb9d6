/** The form field in which Turnstile's widget puts its token. The widget sets this name. */
export const CHALLENGE_FIELD = "cf-turnstile-response";
