/** The form field that only bots fill in. No browser autofills a field of this name. */
export const HONEYPOT_FIELD = "pitch_remark";
