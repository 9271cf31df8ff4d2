import { BooleanValue, FloatValue, type Inner, isArray, isObject, isString, NullValue } from './values.ts'

/**
 * How a value is written into the text, as the template language does it: `True`, `None`, `1.0`. Texts inside of lists are
 * written as SQL literals, so that a list may follow IN.
 * @param text  how a text is written; one of a viewer as a mark
 */
export function printed(value: Inner, text: (value: Inner & { value: string }) => string): string {
  if (isString(value)) return text(value)
  if (isArray(value)) {
    const parts = value.value.map((part) => nested(part, text)).join(', ')
    if (value.type !== 'TupleValue') return `[${parts}]`
    return value.value.length === 1 ? `(${parts},)` : `(${parts})`
  }
  if (isObject(value))
    return `{${[...value.value].map(([name, part]) => `${quoted(name)}: ${nested(part, text)}`).join(', ')}}`
  if (value instanceof BooleanValue) return value.value ? 'True' : 'False'
  if (value instanceof FloatValue) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value)
  return value instanceof NullValue ? 'None' : String(value.value)
}

const nested = (value: Inner, text: (value: Inner & { value: string }) => string): string =>
  isString(value) ? `'${text(value).replaceAll("'", "''")}'` : printed(value, text)

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`
