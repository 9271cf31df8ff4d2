import { toPlainNumber } from '@parquetry/ui'
import { formatNumber } from '../../shared/formats.ts'
import { limitChoices } from '../tabs.ts'

/** SQL-118: the available limits up to the server's maximum, including the one of the tab. */
export const limitOptions = (queryLimit: number, maxRow: number): { value: number; label: string }[] =>
  [...new Set([...limitChoices, queryLimit])]
    .filter((limit) => limit <= maxRow)
    .toSorted((a, b) => a - b)
    .map((value) => ({ value, label: formatNumber(value) }))

/** Reads a typed limit, with or without group separators: a whole number from 1 to the server's maximum, else null. */
export function readLimit(text: string, maxRow: number): number | null {
  const plain = toPlainNumber(text) ?? ''
  const limit = /^\d+$/.test(plain) ? Number(plain) : 0
  return limit >= 1 && limit <= maxRow ? limit : null
}
