/** A character other than tabs and line breaks that nobody can see; among them are all that XML cannot express. */
export const hiddenCharacter = /[^\P{Cc}\t\n]|[\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\ufffd]/u;
