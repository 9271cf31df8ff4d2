/** `undefined` and `null` as a name in a path are what clients write for none. */
export const parseOptionalName = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === '' || text === 'undefined' || text === 'null' ? null : text
