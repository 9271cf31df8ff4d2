import { cellAt, type Frame } from '@parquetry/frame'
import type { ChartForm } from '../../define.ts'
import { buildMark, type Mark } from '../../resolve/marks.ts'
import { findColumn } from '../column.ts'
import type { PickedMark } from './deck.ts'

/** Returns the mark for a click; null for aggregated marks, which no filter can describe. */
export function buildMapMark(
  { marks, at, value }: PickedMark,
  frames: Record<string, Frame>,
  form: ChartForm,
): Mark | null {
  const frame = frames[marks.layer.frame]
  const row = marks.rows[at]
  if (value || !frame || row === undefined) return null
  const cells = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const column = findColumn(frame, name)
        return column ? [[name, cellAt(column, row)] as const] : []
      }),
    )
  const { keys, tooltip } = marks.layer
  const measures = tooltip.map(({ column }) => column).filter((name) => !keys.includes(name))
  return keys.length === 0 ? null : buildMark({ key: cells(keys), values: cells(measures), name: '' }, form)
}
