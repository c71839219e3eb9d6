import {
  changePictures,
  MAX_UPLOAD_BYTES,
  refuseLargePicture,
  showPictures,
} from "#app/features/letters/pictures/pictures-page.server.tsx";
import styles from "#app/features/letters/write/letters.css?url";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

const pictureForm = { maxBody: MAX_UPLOAD_BYTES, tooLarge: refuseLargePicture };

export const picturesSection: OwnerSection = {
  section: "pictures",
  styles,
  link: { href: "/owner/pictures", name: "Pictures", group: "Letters" },
  routes: [
    { method: "get", path: "/pictures", handler: showPictures },
    { method: "post", path: "/pictures", handler: changePictures, ...pictureForm },
  ],
  outcomes: {
    "picture-added": "The picture is stored. Copy its text into your letter, in a paragraph of its own.",
    "picture-deleted": "The picture is deleted.",
    "picture-used":
      "A letter, a follow-up or the note on the landing page shows this picture, so it was not deleted. Take it out there first.",
  },
};
