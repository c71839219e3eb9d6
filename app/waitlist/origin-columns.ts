/** The columns about where an entry came from, which the list's filter can require to be empty. */
export const originColumns = ["utm_source", "utm_campaign", "referrer_host"] as const;
