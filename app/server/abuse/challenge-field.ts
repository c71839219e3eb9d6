/** The form field in which Turnstile's widget puts its token. The widget sets this name. */
export const CHALLENGE_FIELD = "cf-turnstile-response";

/** What tokens are for. Turnstile returns it with its verdict. */
export const TURNSTILE_ACTION = "sign-up";
