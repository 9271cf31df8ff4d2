/** A row of the form: a name, and its values separated by commas or lines. */
export interface AttributeDraft {
  name: string
  values: readonly string[]
}

export const toDraft = (attributes: Readonly<Record<string, readonly string[]>>): AttributeDraft[] =>
  Object.entries(attributes).map(([name, values]) => ({ name, values }))

/** Attributes of the rows; empty rows are left out, and rows with the same name are joined. */
export function fromDraft(rows: readonly AttributeDraft[]): Record<string, string[]> {
  const byName = Map.groupBy(
    rows.filter(({ name, values }) => name.trim() !== '' && values.length > 0),
    ({ name }) => name.trim(),
  )
  return Object.fromEntries(
    [...byName].map(([name, same]) => [name, [...new Set(same.flatMap(({ values }) => values))]]),
  )
}

/** The API accepts names that a template can use. */
export const isAttributeName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name.trim())

/** Index of the first row that cannot be saved; -1 if all can. */
export const findInvalidRow = (rows: readonly AttributeDraft[]): number =>
  rows.findIndex(({ name, values }) => (name.trim() !== '' || values.length > 0) && !isAttributeName(name))
