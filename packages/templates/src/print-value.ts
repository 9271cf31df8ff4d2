import { BooleanValue, FloatValue, type RuntimeValue, isArray, isObject, isString, NullValue } from './values.ts'

/**
 * Prints a value as the template language does: `True`, `None`, `1.0`. Strings in lists are printed as SQL literals, so that a
 * list can follow IN. A missing value that is printed on its own is left to the writer of the text.
 * @param text  prints a string; a viewer's string as a mark
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
