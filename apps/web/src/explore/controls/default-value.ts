import type { FilterBoxItem } from '@parquetry/charts'
import { floatTypes, integerTypes } from './numeric-types.ts'

const booleanTypes = new Set(['BOOL', 'BOOLEAN'])

/**
 * Converts the typed default value of a filter box: NATF-043 to NATF-046. Multiple values, separated by semicolons, stay a
 * string.
 * @param type  database type of the column, for example `DECIMAL(10, 2)`
 */
export function parseDefaultValue(
  typed: string,
  type: string | null | undefined,
  isMultiple: boolean,
): FilterBoxItem['defaultValue'] {
  const text = typed.trim()
  if (text === '') return null
  if (isMultiple) return text
  const kind = /^[A-Za-z]+/.exec(type ?? '')?.[0].toUpperCase() ?? ''
  if (booleanTypes.has(kind)) return text.toLowerCase() === 'true'
  if (integerTypes.has(kind)) return finite(Number.parseInt(text, 10))
  if (floatTypes.has(kind)) return finite(Number.parseFloat(text))
  return text
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null)
