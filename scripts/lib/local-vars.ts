/**
 * Values of the required variables for a site that runs on one's own machine. The addresses lead nowhere: `.example`
 * is reserved (RFC 2606).
 */
export function localVars(port: number): Record<string, string> {
  return {
    SITE_URL: `http://localhost:${port}`,
    CONTACT_EMAIL: "hello@stallwright.example",
    CONTROLLER_NAME: "The owner of this Stallwright (local)",
    CONTROLLER_ADDRESS: "1 Market Square, Exampleton",
    LINK_SECRET: "for-local-use-only-0123456789abcdef",
    // Local mail reaches nobody, so the ceiling that protects a real sender's name need not hold.
    MAIL_PER_HOUR: "100000",
    MAIL_FROM: "pioneers@stallwright.example",
  };
}
