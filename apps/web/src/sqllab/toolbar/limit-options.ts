import { formatNumber } from '../../shared/formats.ts'
import { limitChoices } from '../tabs.ts'

/** SQL-118: the available limits up to the server's maximum, including the one of the tab. */
export const limitOptions = (queryLimit: number, maxRow: number): { value: number; label: string }[] =>
  [...new Set([...limitChoices, queryLimit])]
    .filter((limit) => limit <= maxRow)
    .toSorted((a, b) => a - b)
    .map((value) => ({ value, label: formatNumber(value) }))
