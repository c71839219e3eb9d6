/** Dispatched on the document when hydration has finished. */
export const HYDRATED_EVENT = "hydrated";

/** Prefix of the types of deferred scripts: browsers do not run types they do not know. */
export const DEFERRED = "deferred-";
