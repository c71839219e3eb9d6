/** What a file says about a person, from the one who gets email to the one who wants it least. */
export const fileStatuses = ["active", "unsubscribed", "bounced", "complained"] as const;

export type FileStatus = (typeof fileStatuses)[number];

export function strictest(found: readonly FileStatus[]): FileStatus {
  return fileStatuses.findLast((status) => found.includes(status)) ?? "active";
}

/** What other services' exports call them, and this site's. All other words are asked about. */
export const statusWords: Record<FileStatus, string[]> = {
  active: list("active, subscribed, opted in, opt in"),
  unsubscribed: list("unsubscribed, cancelled, canceled, opted out, opt out, blocklisted, blacklisted"),
  bounced: list("bounced, bounce, hard bounce, hard bounced, cleaned, undeliverable, unreachable, suppressed"),
  complained: list("complained, complaint, spam, spam complaint, marked as spam, junk"),
};

const yes = list("yes, true, 1, y, t, on, ja, wahr, oui, vrai, sí, si, sì");
const no = list("no, false, 0, n, f, off, nein, falsch, non, faux, nee");

/** A yes or no of a spreadsheet, in the languages of its menus; null for any other word. */
export function yesOrNo(word: string): boolean | null {
  const plain = plainWords(word);
  return yes.includes(plain) ? true : no.includes(plain) ? false : null;
}

/** What a word in a column such as "Status" or "Subscribed" means; null if that is not known. */
export function fileStatusOf(word: string): FileStatus | null {
  const isSubscribed = yesOrNo(word);
  if (isSubscribed !== null) return isSubscribed ? "active" : "unsubscribed";
  return fileStatuses.find((status) => statusWords[status].includes(plainWords(word))) ?? null;
}

/** A text in lower case, with one space where it has others, underscores or hyphens. */
export function plainWords(text: string): string {
  const words = text.trim().toLowerCase();
  return words.replace(/[\s_-]+/g, " ");
}

export function list(words: string): string[] {
  return words.split(/,\s+/);
}

/** The fields that say who gets email, with what yes or a date means in each. Several columns can fill one of them. */
export const statusFields = {
  status: "active",
  subscribed: "active",
  unsubscribed: "unsubscribed",
  bounced: "bounced",
  complained: "complained",
  unsubscribe_reason: "unsubscribed",
} as const;

export type StatusField = keyof typeof statusFields;

/** The reasons of this site's export that are no other status. */
export const ownReasons = ["own-choice", "owner", "import"] as const;

/** What a cell says; null if that is not known. Only a column about getting email can say that someone gets it. */
export function statusIn(field: StatusField, text: string): FileStatus | null {
  const [yesMeans, found] = [statusFields[field], fileStatusOf(text)];
  if (yesMeans === "active") return found;
  const isSo = text === "" ? false : yesOrNo(text);
  if (isSo !== null) return isSo ? yesMeans : "active";
  if (ownReasons.some((reason) => reason === text.toLowerCase())) return "unsubscribed";
  return found === "active" ? null : found;
}

/** What a text may be about: that a person agreed to emails, wants none, or both; or when or where they agreed. */
export type Suggestion = "consent" | "refusal" | "both" | "record";

export function nameSuggests(name: string): Suggestion | null {
  const words = wordsOf(name);
  const refuses = refusals.test(words) || words.split(" ").some((word) => refusalWords.includes(word));
  if (refuses) return agreesToo(words) ? "both" : "refusal";
  if (!consents.test(words) && !consentNames.test(words)) return null;
  return records.test(words) ? "record" : "consent";
}

export function valueSuggests(value: string): Exclude<Suggestion, "record"> | null {
  const words = wordsOf(value);
  if (refusals.test(words)) return agreesToo(words) ? "both" : "refusal";
  if (refusalWords.includes(words)) return "refusal";
  return consents.test(words) ? "consent" : null;
}

/** Apart from words such as `unsubscribed`, which contain others. */
function agreesToo(words: string): boolean {
  return consents.test(words.replace(everyRefusal, " "));
}

/** The part of a long text that may be about wanting no email, in plain words; null if there is none. */
export function refusalIn(text: string): string | null {
  const words = wordsOf(text);
  const start = words.search(refusals);
  return start === -1 ? null : words.slice(start);
}

/** Whether a column with yes and no may be about email, by a name that says little. */
export function mayBeAboutEmail(name: string): boolean {
  return vagueNames.test(wordsOf(name));
}

/** Whether the column is about messages that are no emails. */
export function isOtherChannel(name: string): boolean {
  return otherChannels.test(wordsOf(name)) && !/mail|newsletter|contact|kontakt/i.test(name);
}

/** Words in lower case, without accents and signs: `opted out` for `Opted_Out` and `optedOut`. */
function wordsOf(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const refusals = pattern`
  un ?sub|opt(ed|s|ing)? ?out|bounce|complain|\bspam|\babuse|suppress|(black|block) ?list|unengaged|quarantin|ineligible
  do ?n[o ]?t ?(e ?)?(bulk|mail|contact|market|send|disturb|message)|\bdn[ce]\b
  \b(no|stop) (e ?)?(bulk|mail|contact|marketing|thanks|consent|newsletter)
  not ?(subscribed|opted|consent|agree|interested)|never ?(subscribed|e ?mail|contact)
  undeliver|revok|withdr|declin|refus|objected|on hold
  abgemeld|abmeld|abbestell|widerr|widerspr|gekundigt|gesperrt|sperre|sperrliste|unzustell|rucklauf|ausgetragen
  beschwerde|\bkeine? (e ?)?(mail|werbung|newsletter)|nicht kontakt
  desabo|desinscri|desuscri|\bbaja\b|rebot|rebond|disiscri|rimbalz|uitgeschre|uitschrij|afgemeld|plainte|klacht
  \b(ne (pas|plus)|no|non|niet) (contact|enviar|mail|inviare|benader)|lis(te|ta) (noire|negra|nera)
  geloscht|supprim|cancellat|\bnon ?subscri|no longer|former|remove (me|from)|(invalid|dead|bad) (e ?mail|address)
  solicit|mailbox (full|un)|\b(not|n t|no|never|nicht|keine?|ne) (\w+ ){0,3}(e ?)?(mail|contact|kontakt|newsletter|recev|subscri)
`;
const everyRefusal = new RegExp(refusals, "gu");
/** What they mean is clear from a whole value, or from the name of a column. */
const refusalWords =
  list(`cleaned, clean, canceled, cancelled, deleted, removed, erased, blocked, inactive, deactivated,
  disabled, archived, left, gone, rejected, invalid, hold, exclu, remove, stop`);
const consents = pattern`
  (\b|mail)opt(ed|s)? ?in\b|subscri[bp]|consent|permission|\bi? ?(agree|accept)|ok to e ?mail|(e ?mail|contact|keep) me
  newsletter|mailing list|einwillig|zustimm|einverst|consentim|consens|toestemming|abonn|inscri|iscri|suscri
  angemeld|aangemeld|ingeschre
`;
const consentNames = pattern`
  status|\baccept|\ballow|receiv|marketing|gdpr|dsgvo|rgpd|legal basis|verified|confirmed|deliverab|notif
  (email|contact)able|(e ?mail|mailing|contact) (state|preference|ok|list|updates?|type|quality|health|valid)
  werbung|erlaub|kontaktier|recevoir|recibir|communicat
`;
/** Columns that record a consent and do not say whether it still holds, such as OPTIN_IP. */
const records = pattern`
  \b(ip|ids?|url|link|page|form|source|campaign|title|country|method|text|version|wording|plan|tier)$
  \b(names?|price|date|time|at|on)$
`;
const vagueNames = pattern`
  mail|contact|kontakt|update|\bnews|hear from|in touch|akzept
  \b(active|aktiv|enabled|valid|reachable|sendable|receives?|wants?)\b
`;
const otherChannels = pattern`\b(sms|whatsapp|phone|telefon|fax|push|calls?)\b`;

/** A regular expression whose lines are alternatives. */
function pattern({ raw: [text = ""] }: TemplateStringsArray): RegExp {
  return new RegExp(text.trim().replace(/\s*\n\s*/g, "|"), "u");
}
