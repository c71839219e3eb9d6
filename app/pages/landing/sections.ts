// What the landing page shows besides the invitation and its form. `false` leaves a part out, and its code out of the
// build.

export const largeLogo = true;
/** The drawing of the market below the invitation. */
export const drawing = true;
export const benefits = true;
export const product = true;
export const features = true;
export const waysToHelp = true;
export const blog = true;
