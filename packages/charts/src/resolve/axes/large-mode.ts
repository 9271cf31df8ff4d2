/**
 * So many marks of a series are drawn as one shape: 100,000 points as single ones took 21 s, in which the page stood still. Marks of a
 * look of their own, as the one of a period that is not over, look like the others then.
 */
export const largeModeOptions = { large: true, largeThreshold: 5000 }
