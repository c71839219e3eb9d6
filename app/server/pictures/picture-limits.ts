/** Bytes of a picture that the owner uploads for letters, as it is stored. */
export const MAX_PICTURE_BYTES = 400 * 1_024;

/** Pixels. Twice as wide as the widest place for one, for sharp screens. */
export const MAX_PICTURE_WIDTH = 1_600;
export const MAX_PICTURE_HEIGHT = 2_400;

/** Pixels of a photograph of the founder: what the script makes of one, which is sharp on any screen. */
export const PHOTO_SIDE = 320;
/** The most that is taken as it is. @public for settings, which can be removed */
export const MAX_PHOTO_SIDE = 640;
export const MAX_PHOTO_BYTES = 60 * 1_024;

/** Characters of its description. */
export const MAX_ALT_LENGTH = 300;
