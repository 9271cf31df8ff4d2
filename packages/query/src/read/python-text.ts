/**
 * Formats a JSON value as in the API's error messages: `{'queries': {0: ['Not a valid list.']}}`. Whole numbers as keys are list
 * indexes.
 */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, one]) => `${/^\d+$/.test(key) ? key : quoted(key)}: ${pythonText(one)}`,
    )
    return `{${entries.join(', ')}}`
  }
  return String(value)
}

function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
}
