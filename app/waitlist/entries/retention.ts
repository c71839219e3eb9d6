/** Maximum age of an entry (months), as the privacy page promises. The cron job erases older ones. */
export const WAITLIST_RETENTION_MONTHS = 24;

/** How long emails that were sent to people on the list stay in the outbox (days). */
export const SENT_EMAIL_RETENTION_DAYS = 90;

/** How long counts of visits are stored (months): a year, and the year before it to compare with. */
export const VISITS_RETENTION_MONTHS = 24;

/** How long it is known which entries have changed, and with that the ids of erased ones. */
export const CHANGES_KEPT_DAYS = 30;
