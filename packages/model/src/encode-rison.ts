/** First characters of plain text in Rison. */
export const idStart = /[^-0-9 '!:(),*@$]/
/** Characters that only quoted text contains. */
export const special = /[ '!:(),*@$]/

const encodeText = (text: string): string =>
  text !== '' && !special.test(text) && idStart.test(text[0] as string)
    ? text
    : `'${text.replace(/[!']/g, (char) => `!${char}`)}'`

/**
 * Writes a value as Rison. Undefined fields are omitted, as in JSON; keys are sorted, so that equal values produce equal text.
 */
export function encodeRison(value: unknown): string {
  if (value === null || value === undefined) return '!n'
  if (typeof value === 'boolean') return value ? '!t' : '!f'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).replace('+', '') : '!n'
  if (typeof value === 'string') return encodeText(value)
  if (Array.isArray(value)) return `!(${value.map(encodeRison).join(',')})`
  const fields = Object.entries(value as object)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `(${fields.map(([key, field]) => `${encodeText(key)}:${encodeRison(field)}`).join(',')})`
}
