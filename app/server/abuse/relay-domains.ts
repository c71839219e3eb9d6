/**
 * Services that forward email to a real mailbox, which people use for privacy. Their addresses last, so they are never
 * treated as throwaway.
 */
export const relayDomains: readonly string[] = [
  // DuckDuckGo Email Protection
  "duck.com",
  // Firefox Relay
  "mozmail.com",
  "relay.firefox.com",
  // Hide My Email by Apple
  "privaterelay.appleid.com",
  "icloud.com",
  // SimpleLogin and Proton Pass
  "simplelogin.com",
  "simplelogin.co",
  "simplelogin.fr",
  "simplelogin.io",
  "aleeas.com",
  "slmail.me",
  "slmails.com",
  "silomails.com",
  "8alias.com",
  "8shield.net",
  "dralias.com",
  "passmail.net",
  "passmail.com",
  "passinbox.com",
  "passfwd.com",
  // addy.io
  "addy.io",
  "addymail.com",
  "anonaddy.com",
  "anonaddy.me",
  // Masked Email by Fastmail
  "fastmail.com",
  "fastmail.fm",
];
