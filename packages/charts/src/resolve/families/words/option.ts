import { drawnSeries, textShape, type Drawn, type Shape } from '../../items/drawn.ts'
import type { Items } from '../../items/of-items.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { SpecSeries } from '../family.ts'
import { cloudOf, type CloudLook } from './cloud.ts'
import { weight } from './layout.ts'

const edge = 4
/** Of the line that says how many words have no room. */
const noteHeight = 20

/** Words as large as their numbers; those without room are counted below. */
export const wordsOption = (series: SpecSeries, words: Items, around: Surroundings) =>
  drawnSeries(words.name, words.items.length, (width, height) => cloud(series, words, { ...around, width, height }))

function cloud(series: SpecSeries, { color, items }: Items, around: Surroundings): Drawn {
  const { theme, width, height, say } = around
  const box = { width: Math.max(0, width - 2 * edge), height: Math.max(0, height - 2 * edge) }
  const look = series.cloud as CloudLook
  const whole = cloudOf(items, look, box)
  const isWhole = whole.every(Boolean)
  const placed = isWhole ? whole : cloudOf(items, look, { ...box, height: Math.max(0, box.height - noteHeight) })
  const missing = placed.filter((word) => !word).length
  const note = say(
    'picture.words.missing',
    '{count, plural, one {# more word doesn’t fit} other {# more words don’t fit}}',
    { count: missing },
  )
  const marks = placed.map((word, at): Shape[] => {
    const item = items[at]
    if (!word || !item) return []
    const text = textShape(0, 0, word.text, {
      size: word.size,
      weight,
      font: theme.font,
      align: 'center',
      fill: drawnColor(item.color ?? color, theme),
    })
    const opacity = isFaded(item.key ?? {}, around.selected) ? fadedOpacity : 1
    return [
      {
        ...text,
        style: { ...(text.style as Shape), opacity },
        silent: false,
        x: edge + word.x,
        y: edge + word.y,
        rotation: (word.turn * Math.PI) / 180,
      },
    ]
  })
  const beside =
    missing > 0
      ? [
          textShape(width / 2, height - edge, note, {
            size: 11,
            fill: theme.tick,
            font: theme.font,
            align: 'center',
            verticalAlign: 'bottom',
          }),
        ]
      : []
  return { marks, beside }
}
