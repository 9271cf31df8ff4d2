import { cellAt, isNull, numberAt, textAt, type Column, type Frame } from '@parquetry/frame'

export interface Sorting {
  column: number
  descending: boolean
}

/** Row numbers in the order of one column; nulls last either way, equal rows keep their order. Undefined: as they came. */
export function sortedRows(frame: Frame, sorting: Sorting | null): Uint32Array | undefined {
  const column = sorting ? frame.columns[sorting.column] : undefined
  if (!sorting || !column) return undefined
  const compare = compareOf(column)
  const sign = sorting.descending ? -1 : 1
  return Uint32Array.from({ length: frame.rows }, (_, row) => row).sort((a, b) => {
    const [left, right] = [isNull(column, a), isNull(column, b)]
    if (left || right) return left === right ? a - b : left ? 1 : -1
    return sign * compare(a, b) || a - b
  })
}

function compareOf(column: Column): (a: number, b: number) => number {
  if (column.kind === 'bigint' || column.kind === 'decimal')
    return (a, b) => (column.data[a]! < column.data[b]! ? -1 : column.data[a]! > column.data[b]! ? 1 : 0)
  if (column.kind === 'string' || column.kind === 'json') {
    if (column.numeric) return (a, b) => Number(cellAt(column, a)) - Number(cellAt(column, b))
    const texts = Array.from({ length: rowsOfText(column) }, (_, row) => textAt(column, row) ?? '')
    const collator = new Intl.Collator()
    return (a, b) => collator.compare(texts[a] ?? '', texts[b] ?? '')
  }
  return (a, b) => (numberAt(column, a) ?? 0) - (numberAt(column, b) ?? 0)
}

const rowsOfText = ({ text }: Extract<Column, { kind: 'string' | 'json' }>): number =>
  text.as === 'dictionary' ? text.codes.length : text.offsets.length - 1
