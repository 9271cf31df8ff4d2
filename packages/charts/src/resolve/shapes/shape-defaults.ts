import type { StandaloneFamily } from '../families/family.ts'
import { formatter } from '../../shared/formats/format.ts'
import { toThemeColor } from '../paint.ts'
import { fullFormat } from '../tooltip.ts'
import {
  axesOf,
  readShapeFacts,
  locateShapeMark,
  indexOfShape,
  readShapes,
  countShapeMarks,
  navigateShapes,
  type ShapeItem,
  type ShapeMarks,
} from './marks.ts'

/** Shared behavior of families whose marks span several axes; only drawing differs. */
export const shapeDefaults = {
  read: readShapes,
  size: countShapeMarks,
  isEmpty: ({ items }) => items.every(({ values }) => values.every((value) => value === null)),
  /** Shows all numbers of a shape; the one reached by keyboard is bold and announced. */
  tip(marks, index, _, { theme, locale }) {
    const { item, axis } = locateShapeMark(marks, index)
    const shape = marks.items[item]
    const color = toThemeColor(shape?.color ?? marks.color, theme)
    const rows = axesOf(marks).map(({ name, format }, i) => {
      const number = shape?.values[i] ?? null
      const value = formatter(fullFormat(format), locale)(number)
      return { name, color, value, share: null, number, isHovered: i === axis }
    })
    return { title: shape?.name ?? '', rows, more: 0, total: null }
  },
  facts: readShapeFacts,
  navigate: navigateShapes,
  /** Describes the number of shapes and the highest one on the first axis. */
  describe(marks, { kind }, { translate, locale }) {
    const [axis] = axesOf(marks)
    const best = marks.items.reduce<ShapeItem | undefined>(
      (most, item) => ((item.values[0] ?? -Infinity) > (most?.values[0] ?? -Infinity) ? item : most),
      undefined,
    )
    if (!axis || !best) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const values = {
      kind,
      names: marks.name,
      count: marks.items.length,
      measure: axis.name,
      highAt: best.name,
      high: formatter(fullFormat(axis.format), locale)(best.values[0]),
    }
    return best.name
      ? translate(
          'picture.describe.radar',
          '{kind} of {names} with {count, plural, one {# shape} other {# shapes}}. Highest {measure}: {highAt}, {high}.',
          values,
        )
      : translate('picture.describe.radar.one', '{kind} of {names}. {measure}: {high}.', values)
  },
  fromTarget: (marks, { dataIndex }) => indexOfShape(marks, dataIndex),
  toTarget: (marks, index) => ({ dataIndex: locateShapeMark(marks, index).item }),
} satisfies Partial<StandaloneFamily<ShapeMarks>>
