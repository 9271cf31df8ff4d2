/** Of a table in an image, in pixels; its headings, its totals and the sentence below it have the same. */
export const tableRowHeight = 26
