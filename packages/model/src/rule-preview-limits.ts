/** Subjects, and datasets, of which a preview of a row-level security rule counts rows: each costs two queries. */
export const previewLimits = { subjects: 20, tables: 5, samples: 10 }
