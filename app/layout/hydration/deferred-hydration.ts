/** Dispatched on the document when hydration has finished. */
export const HYDRATED_EVENT = "hydrated";

/**
 * Prefix of the types of deferred scripts: browsers do not run types they do not know. What follows it is the type that
 * they run as, which is empty for classic scripts; with the prefix, each is a valid MIME type, as the standard demands.
 */
export const DEFERRED = "text/deferred-";
