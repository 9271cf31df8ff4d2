import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { layOutCloud, type CloudOptions } from './cloud.ts'
import { wordWeight } from './layout.ts'

const edge = 4
/** Height of the line that counts the words that do not fit. */
const noteHeight = 20

/** Words sized by their numbers; those that do not fit are counted below. */
export const wordsOption = (series: SpecSeries, words: Items, around: RenderContext) =>
  customSeries(words.name, words.items.length, (width, height) =>
    drawCloud(series, words, { ...around, width, height }),
  )

function drawCloud(series: SpecSeries, { color, items }: Items, around: RenderContext): CustomDrawing {
  const { theme, width, height, translate } = around
  const box = { width: Math.max(0, width - 2 * edge), height: Math.max(0, height - 2 * edge) }
  const look = series.cloud as CloudOptions
  const whole = layOutCloud(items, look, box)
  const isWhole = whole.every(Boolean)
  const placed = isWhole ? whole : layOutCloud(items, look, { ...box, height: Math.max(0, box.height - noteHeight) })
  const missing = placed.filter((word) => !word).length
  const note = translate(
    'picture.words.missing',
    '{count, plural, one {# more word doesn’t fit} other {# more words don’t fit}}',
    { count: missing },
  )
  const marks = placed.map((word, index): GraphicElement[] => {
    const item = items[index]
    if (!word || !item) return []
    const text = textShape(0, 0, word.text, {
      size: word.size,
      weight: wordWeight,
      font: theme.font,
      align: 'center',
      fill: toThemeColor(item.color ?? color, theme),
    })
    const opacity = isFaded(item.key ?? {}, around.selected) ? fadedOpacity : 1
    return [
      {
        ...text,
        style: { ...(text.style as GraphicElement), opacity },
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
