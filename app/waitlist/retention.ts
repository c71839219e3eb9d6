/** The longest that an entry is stored (months), as the privacy page promises; the cron trigger erases older ones. */
export const WAITLIST_RETENTION_MONTHS = 24;
