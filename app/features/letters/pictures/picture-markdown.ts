import { type AddressedPicture, picturePath } from "#app/owner/pictures/picture-path.ts";

/** The Markdown that shows a picture in a letter. @param alt its description, which may have any characters */
export function pictureMarkdown(alt: string, picture: AddressedPicture): string {
  const text = alt.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>&!]/g, "\\$&");
  return `![${text}]({{site}}${picturePath(picture)})`;
}
