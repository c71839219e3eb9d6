// What this site has. `false` leaves a part or a feature out: its pages, its code in the build, and what other pages say
// about it. What is stored stays. docs/make-it-yours.md says how to delete a feature instead.

// Parts of the landing page, besides the invitation and its form.

/** The name and the tagline, large, above the invitation. */
export const largeLogo = true;
/** The drawing of the market below the invitation. */
export const drawing = true;
/** What early members get. */
export const benefits = true;
/** What the product is, for each side of the market. */
export const product = true;
/** How many Pioneers there are, below what the product is: once there are 100. */
export const pioneerCount = true;
/** What it will do, as a list to open. */
export const features = true;
/** Ways to help, with the second form. */
export const waysToHelp = true;

// Features.

/** Posts of a Ghost blog on the landing page, or sample posts. */
export const blog = true;
/** Letters from the owner to many people, and their public pages at /letters. */
export const letters = true;
/** Follow-up emails to each person, some days after joining. They need letters. */
export const series = true;
/** The page /survey and its links. */
export const survey = true;
/** The page /roadmap and its links. */
export const roadmap = true;
/** Counting visits without cookies, and the numbers on the owner's overview. */
export const visits = true;
/** Personal links with which people on the list bring friends. */
export const referrals = true;
/** The button that shares the landing page. */
export const share = true;
/** The API with keys, for other programs. */
export const api = true;
/** Telling other programs of events. */
export const webhooks = true;
/** A sign-up form on other sites. */
export const embed = true;
/** A sign-up form for tablets at fairs, which works without network. */
export const fair = true;
