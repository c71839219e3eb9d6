/** The fill of light around a lamp. Needs `SharedParts`. */
export const glow = "url(#glow)";
