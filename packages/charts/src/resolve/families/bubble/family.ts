import { ScatterChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { clampToAxis, type Plot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { toThemeColor, emptyMark, fadedOpacity, isFaded, othersColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { defineAxesFamily, type SpecItem } from '../family.ts'

interface Bubble extends SpecItem {
  x: number | null
  y: number | null
  size: number | null
}
interface Measure {
  name: string
  /** Label of its column. */
  label: string
  format: string
}
interface Bubbles extends Plot {
  bubbles: readonly Bubble[]
  measures: readonly [x: Measure, y: Measure, size: Measure]
  /** Number of bubbles without a position: a value is missing, or is not above zero on a logarithmic axis. */
  omitted: number
}

/** Radii in pixels of the smallest bubble and of bubbles without a size. */
const minRadius = { bubble: 2, ring: 4 }
/** Maximum radius of the largest bubble as a share of the smaller side of the chart. */
const maxRadiusShare = 0.15

const area = ({ size }: Bubble): number => Math.max(0, size ?? 0)

/** Bubbles sized by area; larger ones are drawn behind smaller ones. */
export default defineAxesFamily<Bubbles>({
  parts: [ScatterChart, TitleComponent],
  read({ name = '', color = othersColor, data = [], measures, isLog }) {
    const [isLogX, isLogY] = (isLog ?? []) as boolean[]
    const stands = (value: number | null, onLog: boolean | undefined) => value !== null && (!onLog || value > 0)
    const all = data as unknown as Bubble[]
    const bubbles = all
      .filter(({ x, y }) => stands(x, isLogX) && stands(y, isLogY))
      .toSorted((one, other) => area(other) - area(one))
    const [along] = measures as Bubbles['measures']
    return {
      name,
      color,
      key: {},
      bubbles,
      measures: measures as Bubbles['measures'],
      omitted: all.length - bubbles.length,
      x: bubbles.map(({ x }) => x),
      y: bubbles.map(({ y }) => y),
      xColumn: along.label,
    }
  },
  option(given, plot, _, around) {
    const { measures: __, isLog: ___, largest, radius, itemStyle, ...series } = given
    const { theme, width, height, selected } = around
    const fill = toThemeColor(plot.color, theme)
    const { opacity = 1 } = (itemStyle ?? {}) as { opacity?: number }
    const far = Math.min(Number(radius), Math.min(width, height) * maxRadiusShare)
    return {
      ...seriesBase({ ...series, type: 'scatter' }, plot, around),
      emphasis: { focus: 'none' },
      data: plot.bubbles.map((bubble) => {
        const faded = isFaded(bubble.key ?? {}, selected) ? fadedOpacity : 1
        const size = area(bubble)
        return {
          value: [clampToAxis(bubble.x), clampToAxis(bubble.y)],
          symbolSize:
            2 * (size > 0 ? Math.max(minRadius.bubble, far * Math.sqrt(size / Number(largest))) : minRadius.ring),
          itemStyle:
            size > 0
              ? { color: fill, opacity: faded * opacity, borderColor: theme.surface, borderWidth: 1 }
              : { ...emptyMark(fill, theme), opacity: faded },
        }
      }),
    }
  },
  tip({ bubbles, measures, color }, index, _, { theme, locale }) {
    const bubble = bubbles[index]
    const numbers = bubble ? [bubble.x, bubble.y, bubble.size] : []
    return {
      title: bubble?.name ?? '',
      rows: numbers.map((number, place) => ({
        name: measures[place]?.name ?? '',
        color: toThemeColor(color, theme),
        value: formatter(fullFormat(measures[place]?.format), locale)(number),
        share: null,
        number,
        isHovered: false,
      })),
      more: 0,
      total: null,
      isOfOne: true,
    }
  },
  facts({ bubbles, measures }, index) {
    const bubble = bubbles[index]
    const [x, y, size] = measures
    return bubble
      ? {
          key: bubble.key ?? {},
          values: { [x.label]: bubble.x, [y.label]: bubble.y, [size.label]: bubble.size },
          name: bubble.name,
        }
      : null
  },
  describe(plots, { kind }, { translate, locale }) {
    const all = plots.flatMap(({ bubbles }) => bubbles)
    const [first] = all
    const [plot] = plots
    if (!first || !plot) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const [x, y, size] = plot.measures
    const up = (bubble: Bubble) => bubble.y ?? 0
    const highest = all.reduce((high, bubble) => (up(bubble) > up(high) ? bubble : high))
    const largest = all.reduce((large, bubble) => (area(bubble) > area(large) ? bubble : large))
    const write = ({ format }: Measure, value: number | null) => formatter(fullFormat(format), locale)(value)
    return translate(
      'picture.describe.bubbles',
      '{kind} of {y} by {x} with {count, plural, one {# bubble} other {# bubbles}}. Highest {y}: {high} ({highAt}). Largest {size}: {large} ({largeAt}).',
      {
        kind,
        x: x.name,
        y: y.name,
        size: size.name,
        count: all.length,
        high: write(y, highest.y),
        highAt: highest.name,
        large: write(size, largest.size),
        largeAt: largest.name,
      },
    )
  },
  note(plots, { translate }) {
    const omitted = plots.reduce((sum, plot) => sum + plot.omitted, 0)
    return omitted > 0
      ? translate(
          'picture.bubbles.lost',
          '{count, plural, one {# bubble is} other {# bubbles are}} not shown: values are missing, or not above zero on a logarithmic axis.',
          { count: omitted },
        )
      : null
  },
})
