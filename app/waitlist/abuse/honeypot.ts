/** Name of the field that only programs fill in; one that no browser has something to fill in for. */
export const HONEYPOT_FIELD = "pitch_remark";
