import { cellAt, type Frame } from '@parquetry/frame'
import type { ChartForm } from '../../define.ts'
import { markOf, type Mark } from '../../resolve/marks.ts'
import { columnNamed } from '../column.ts'
import type { Pointed } from './deck.ts'

/** What a click on a mark means; null for one that stands for many rows, which no filter names. */
export function markOfMap({ marks, at, value }: Pointed, frames: Record<string, Frame>, form: ChartForm): Mark | null {
  const frame = frames[marks.layer.frame]
  const row = marks.rows[at]
  if (value || !frame || row === undefined) return null
  const cells = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const column = columnNamed(frame, name)
        return column ? [[name, cellAt(column, row)] as const] : []
      }),
    )
  const { keys, tips } = marks.layer
  const measures = tips.map(({ column }) => column).filter((name) => !keys.includes(name))
  return keys.length === 0 ? null : markOf({ key: cells(keys), values: cells(measures), name: '' }, form)
}
