/** What no text for people may contain, and what to write instead. */
export const unwantedWords: readonly [pattern: RegExp, instead: string][] = [
  [/\be-mails?\b/i, "email"],
  [/(?<![-/.:@_])\bmails?\b(?![-/:@_.]\w)/i, "email"],
  [/\b(?:nobody|somebody|whoever|whatever|whichever|anew)\b/i, "say who, what or how"],
  [/\bnone is (?:owed|due)\b/i, "no emails"],
  [/\bowe[sd]?\b/i, "queued"],
  [/\bturned away\b/i, "blocked"],
  [/\bto the page with the button\b/i, "name what the button does"],
  [/\bputs? (?:nobody|no one) back\b/i, "you are not added again"],
  [/\bcosts you the most patience\b/i, "tries your patience most"],
  [/\bnothing of that\b/i, "none of that"],
  [/\bmake sure that you are a person\b/i, "confirm that you're human"],
  [/\bwho answers for your data\b/i, "who is responsible for your data"],
  [/\bfor the time to come\b/i, "from then on"],
  [/\bwhat stays of\b/i, "all that remains"],
  [/\bsomething here is unclear\b/i, "is something unclear"],
  [/\ball that hangs on it\b/i, "everything linked to it"],
  [/\bhears? of the launch\b/i, "hear about the launch"],
  [/\bmake friends of\b/i, "connect with"],
  [/\ba word in what\b/i, "a say in"],
  [/\band nowhere else\b/i, "leave it out"],
  [/\bwritten down for us\b/i, "we've logged it"],
  [/\blet this site be\b/i, "allow this site"],
  [/\blook into your\b/i, "check your"],
  [/\bno entry is like that\b/i, "no entries match"],
  [/\bfell for\b/i, "filled the honeypot"],
  [/\bit was so already\b/i, "no change was needed"],
  [/\bsent to OWNER_EMAIL\b/, "sent to the owner of this site"],
  [/\btakes? (?:its|their) turn\b/i, "is sent next"],
  [/\b(?:organiz(?:e[sd]?|ing)|recogniz\w+|behavior|favorite|canceled)\b/i, "British spelling"],
];

/** Texts that the specification words with an exclamation mark. */
export const exclamations = [
  "Thanks for joining! Please check your email.",
  "This email is already on our waitlist!",
  "Link copied to clipboard!",
];
