/** Maximum age of an entry (months), as the privacy page promises. The cron job erases older ones. */
export const WAITLIST_RETENTION_MONTHS = 24;
