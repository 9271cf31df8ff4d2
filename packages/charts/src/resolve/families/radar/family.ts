import { RadarChart } from 'echarts/charts'
import { RadarComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { ofItems } from '../../items/of-items.ts'
import { drawnColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { axesOf, factsAt, partsAt, placeOf, readShapes, sizeOf, walkShapes, type Shape } from './marks.ts'
import { radarComponent, radarOption } from './option.ts'

/** Shapes over several axes around one middle. */
export default ofItems<Shape>({
  parts: [RadarChart, RadarComponent],
  read: readShapes,
  option: radarOption,
  components: radarComponent,
  size: sizeOf,
  isEmpty: ({ items }) => items.every(({ values }) => values.every((value) => value === null)),
  /** All numbers of a shape; the one that the keyboard has reached is bold and read out. */
  tip(shapes, at, _, { theme, locale }) {
    const { item, axis } = partsAt(shapes, at)
    const shape = shapes.items[item]
    const color = drawnColor(shape?.color ?? shapes.color, theme)
    const rows = axesOf(shapes).map(({ name, format }, i) => {
      const number = shape?.values[i] ?? null
      const value = formatter(fullFormat(format), locale)(number)
      return { name, color, value, share: null, number, isHovered: i === axis }
    })
    return { title: shape?.name ?? '', rows, more: 0, total: null }
  },
  facts: factsAt,
  walk: walkShapes,
  /** How many shapes over which axes, and who leads on the first. */
  describe(shapes, { kind }, { say, locale }) {
    const [axis] = axesOf(shapes)
    const best = shapes.items.reduce<Shape | undefined>(
      (most, item) => ((item.values[0] ?? -Infinity) > (most?.values[0] ?? -Infinity) ? item : most),
      undefined,
    )
    if (!axis || !best) return say('picture.describe.empty', '{kind} without data.', { kind })
    const values = {
      kind,
      names: shapes.name,
      count: shapes.items.length,
      measure: axis.name,
      highAt: best.name,
      high: formatter(fullFormat(axis.format), locale)(best.values[0]),
    }
    return best.name
      ? say(
          'picture.describe.radar',
          '{kind} of {names} with {count, plural, one {# shape} other {# shapes}}. Highest {measure}: {highAt}, {high}.',
          values,
        )
      : say('picture.describe.radar.one', '{kind} of {names}. {measure}: {high}.', values)
  },
  atOf: (shapes, { dataIndex }) => placeOf(shapes, dataIndex),
  targetOf: (shapes, at) => ({ dataIndex: partsAt(shapes, at).item }),
})
