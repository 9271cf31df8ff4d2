import { BooleanValue, FloatValue, type RuntimeValue, isArray, isObject, isString, NullValue } from './values.ts'

/**
 * How a value is written into the text, as the template language does it: `True`, `None`, `1.0`. Texts inside of lists are
 * written as SQL literals, so that a list may follow IN.
 * @param text  how a text is written; one of a viewer as a mark
 */
export function printValue(value: RuntimeValue, text: (value: RuntimeValue & { value: string }) => string): string {
  if (isString(value)) return text(value)
  if (isArray(value)) {
    const parts = value.value.map((part) => printNested(part, text)).join(', ')
    if (value.type !== 'TupleValue') return `[${parts}]`
    return value.value.length === 1 ? `(${parts},)` : `(${parts})`
  }
  if (isObject(value))
    return `{${[...value.value].map(([name, part]) => `${quoted(name)}: ${printNested(part, text)}`).join(', ')}}`
  if (value instanceof BooleanValue) return value.value ? 'True' : 'False'
  if (value instanceof FloatValue) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value)
  return value instanceof NullValue ? 'None' : String(value.value)
}

const printNested = (value: RuntimeValue, text: (value: RuntimeValue & { value: string }) => string): string =>
  isString(value) ? `'${text(value).replaceAll("'", "''")}'` : printValue(value, text)

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`
