/** What a provider reports about an email that it had accepted. */
export interface ProviderEvent {
  /** The provider's id of the event, the same for every delivery of it. */
  id: string;
  kind: "hard-bounce" | "soft-bounce" | "complaint" | "failed";
  /** The email's id in the outbox, or the key of a letter and its recipient's entry. */
  about: { emailId: string } | LetterEmail;
  /** The address it was sent to. */
  recipient: string;
}

/** A letter's copy for one entry, as its tags name it. */
export interface LetterEmail {
  letter: string;
  entryId: number;
}
