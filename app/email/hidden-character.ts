/** An invisible character other than a tab or line break. Includes every character that XML cannot express. */
export const hiddenCharacter = /[^\P{Cc}\t\n]|[\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\ufffd]/u;
