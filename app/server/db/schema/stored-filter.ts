/** A filter of the list of entries, as JSON: the `EntryFilter` of `app/waitlist/filter/filters.server.ts`. */
export type StoredFilter = object;
