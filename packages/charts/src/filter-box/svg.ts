import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import type { FilterBoxSpec } from './chart.ts'
import { listChosenValues } from './choices.ts'

const edge = 12
const size = 12
const rowHeight = 50
const box = 26

/** Draws the fields with their default values; fields that do not fit are omitted. */
export default function drawFilterBox(given: Spec, _: Record<string, Frame>, around: RenderContext) {
  const { items, time, defaults, words } = given as FilterBoxSpec
  const { theme, width, height, translate } = around
  const fields = [
    ...(time.range ? [{ label: words.range, value: words.any }] : []),
    ...(time.grain ? [{ label: words.grain, value: words.own }] : []),
    ...(time.column ? [{ label: words.column, value: words.own }] : []),
    ...items.map(({ column, label }) => ({
      label,
      value: listChosenValues(defaults[column]).map(String).join(', ') || words.any,
    })),
  ]
  const room = Math.max(0, width - 2 * edge)
  const shown = fields.slice(0, Math.max(1, Math.floor((height - edge) / rowHeight)))
  const parts = shown.map(({ label, value }, index) => {
    const y = edge / 2 + index * rowHeight
    return [
      svgText(edge, y + 12, truncateText(label, size, room), { size, fill: theme.text, weight: 500 }),
      `<rect x="${edge}.5" y="${round(y + 18.5)}" width="${round(Math.max(0, room - 1))}" height="${box}" rx="6" fill="none" stroke="${theme.axis}"/>`,
      svgText(edge + 10, y + 18 + box / 2 + size * 0.36, truncateText(value, size, room - 40), {
        size,
        fill: theme.text2,
      }),
      `<path d="M${round(width - edge - 20)} ${round(y + 29)}l4 4 4 -4" fill="none" stroke="${theme.text2}" stroke-width="1.5"/>`,
    ].join('')
  })
  const describe = translate('picture.describe.filterBox', 'Filters by {names}.', {
    names: fields.map(({ label }) => label).join(', '),
  })
  return { body: parts.join(''), describe }
}
