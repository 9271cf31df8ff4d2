import { cellAt, type Frame } from '@parquetry/frame'
import type { RenderContext } from '../../resolve/render-context.ts'
import { findColumn } from '../column.ts'
import { formatter, shorten } from '../formats/format.ts'
import type { PickedMark } from './deck.ts'
import type { TooltipFact } from './marks/kinds.ts'
import '../../views/tooltip.css'
import styles from './map.module.css'

interface MapTooltipProps {
  pointed: PickedMark
  frames: Record<string, Frame>
  around: RenderContext
}

/** Tooltip of the mark under the pointer. */
export function MapTooltip({ pointed, frames, around }: MapTooltipProps) {
  const facts = buildTooltipRows(pointed, frames, around)
  if (facts.length === 0) return null
  const { width, height, locale } = around
  const isRight = pointed.x > width / 2
  const isLow = pointed.y > height / 2
  const place = {
    ...(isRight ? { right: width - pointed.x + 14 } : { left: pointed.x + 14 }),
    ...(isLow ? { bottom: height - pointed.y + 14 } : { top: pointed.y + 14 }),
    maxWidth: Math.max(140, (isRight ? pointed.x : width - pointed.x) - 22),
  }
  return (
    <div className={`${styles.tip} pq-tooltip pq-tip`} style={place} role="presentation">
      <table>
        <tbody>
          {facts.map(({ name, value, format }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two properties may have one name
            <tr key={index}>
              <td className="pq-tip-name">{shorten(name)}</td>
              <td className={styles.value}>{shorten(formatter(format, locale)(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function buildTooltipRows(
  { marks, at, value }: PickedMark,
  frames: Record<string, Frame>,
  { translate }: RenderContext,
): TooltipFact[] {
  const { layer } = marks
  if (value) {
    const name = 'name' in layer ? layer.name : translate('picture.map.points', 'Points')
    return [{ name, value: value.value ?? value.count, format: 'format' in layer ? layer.format : ',d' }]
  }
  const frame = frames[layer.frame]
  const row = marks.rows[at]
  const fields = frame && row !== undefined ? layer.tooltip : []
  return [
    ...(marks.own?.(at) ?? []),
    ...fields.flatMap(({ column: name, name: label, format }) => {
      const column = findColumn(frame!, name)
      return column
        ? [{ name: label, value: cellAt(column, row!), format: column.kind === 'time' ? 'smart_date' : format }]
        : []
    }),
  ]
}
