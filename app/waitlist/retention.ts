/** Maximum age of an entry (months), as the privacy page promises. The cron job erases older ones. */
export const WAITLIST_RETENTION_MONTHS = 24;

/** How long counts of visits are stored (months): a year, and the year before it to compare with. */
export const VISITS_RETENTION_MONTHS = 24;
