/** Height in pixels of the rows, headings, totals and the sentence below a table in an image. */
export const tableRowHeight = 26
