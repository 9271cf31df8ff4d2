/** Returns null for missing names: clients also write `undefined` and `null` into paths. */
export const parseOptionalName = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === '' || text === 'undefined' || text === 'null' ? null : text
