/** Sheets of paper, as printers know them. The stylesheet `<paper>.css` sets the size of the printed page. */
export type Paper = "a3" | "a4" | "a4-landscape";

interface Format {
  label: string;
  paper: Paper;
  /** Pieces on a page, which are all alike. */
  pieces: number;
  afterwards?: string;
}

/** What can be printed, by the names in the page's URL. */
export const formats = {
  "poster-a3": { label: "Poster, A3", paper: "a3", pieces: 1 },
  "poster-a4": { label: "Poster, A4", paper: "a4", pieces: 1 },
  "flyer-a5": {
    label: "Flyers, A5: two on an A4 page",
    paper: "a4-landscape",
    pieces: 2,
    afterwards: "Cut the page along the dotted line.",
  },
  "flyer-a6": {
    label: "Flyers, A6: four on an A4 page",
    paper: "a4",
    pieces: 4,
    afterwards: "Cut the page along the dotted lines.",
  },
  "table-card": {
    label: "Table card, A4 folded",
    paper: "a4",
    pieces: 2,
    afterwards: "Fold the page outwards along the dotted line, and stand it up. Card of 160 g/m² or more stands best.",
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const styles = { light: "In colour", ink: "Ink-saving: black lines on white" } as const;

export type StyleName = keyof typeof styles;

export function toFormat(name: string): FormatName {
  return Object.hasOwn(formats, name) ? (name as FormatName) : "poster-a4";
}

export function toStyle(name: string): StyleName {
  return name === "ink" ? "ink" : "light";
}
