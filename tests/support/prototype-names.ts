/** Names that every plain object inherits, which look-ups by outside text must not find. */
export const prototypeNames = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
