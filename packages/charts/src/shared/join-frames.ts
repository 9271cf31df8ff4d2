import { cellAt, concat, take, type Cell, type Column, type Frame } from '@parquetry/frame'

/**
 * Joins the responses of several queries over one axis by their first columns, if these have the same name; sorted if they are
 * times or numbers. Otherwise returns the first response.
 * @param other names a column whose name occurs in an earlier response
 */
export function joinFrames(
  frames: Record<string, Frame>,
  other: (name: string) => string = (name) => `${name} (B)`,
): Frame {
  const [first = { rows: 0, columns: [] }, ...rest] = Object.values(frames)
  return rest.reduce((whole, frame) => besides(whole, frame, other), first)
}

function besides(one: Frame, two: Frame, other: (name: string) => string): Frame {
  const [x, ...own] = one.columns
  const [along, ...added] = two.columns
  if (one.rows === 0 && one.columns.length === 0) return two
  if (!x || !along || x.name !== along.name || x.kind !== along.kind) return one
  const at = new Map<Cell, [number, number]>()
  for (let row = 0; row < one.rows; row++) at.set(cellAt(x, row), [row, -1])
  for (let row = 0; row < two.rows; row++) at.set(cellAt(along, row), [at.get(cellAt(along, row))?.[0] ?? -1, row])
  const isOrdered = x.kind === 'time' || x.kind === 'number'
  const places = isOrdered ? [...at].toSorted(([a], [b]) => Number(a) - Number(b)) : [...at]
  const [ones, twos] = [places.map(([, [row]]) => row), places.map(([, [, row]]) => row)]
  const both = concat([
    { rows: one.rows, columns: [x] },
    { rows: two.rows, columns: [along] },
  ]).columns[0] as Column
  const names = new Set(one.columns.map(({ name }) => name))
  return {
    rows: places.length,
    columns: [
      take(
        both,
        places.map(([, [row, second]]) => (row >= 0 ? row : one.rows + second)),
      ),
      ...own.map((column) => take(column, ones)),
      ...added.map((column) => ({
        ...take(column, twos),
        name: names.has(column.name) ? other(column.name) : column.name,
      })),
    ],
  }
}
