/**
 * Returns whether a schema is the only one of an engine whose schema is `main`; also without a schema. Such engines ignore the
 * case of names.
 */
export const isMainSchema = (schema: string | null): boolean =>
  schema === null || schema === '' || schema.toLowerCase() === 'main'
