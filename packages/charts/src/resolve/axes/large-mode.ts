/**
 * Series with at least this many marks are drawn as one shape: 100,000 individual points blocked the page for 21 s. Marks with a
 * different style, such as that of an incomplete period, then look like the others.
 */
export const largeModeOptions = { large: true, largeThreshold: 5000 }
