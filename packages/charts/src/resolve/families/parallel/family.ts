import { ParallelChart } from 'echarts/charts'
import { GraphicComponent, ParallelComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { locateShapeMark } from '../../shapes/marks.ts'
import { shapeDefaults } from '../../shapes/shape-defaults.ts'
import { fullFormat } from '../../tooltip.ts'
import { lineColor, readParallelLines, type ParallelLine } from './lines.ts'
import { parallelComponents, parallelOption } from './option.ts'
import { tooltipPositionExtension } from './tooltip-position.ts'

/** Lines across several parallel axes. */
export default defineItemsFamily<ParallelLine>({
  ...shapeDefaults,
  parts: [ParallelChart, ParallelComponent, GraphicComponent, tooltipPositionExtension],
  read: readParallelLines,
  option: parallelOption,
  components: parallelComponents,
  /** Lines can be named by an axis, if configured. */
  legend: () => [],
  without: (marks) => marks,
  /** Shows all numbers of a line, including the one that determines its color. */
  tip(marks, index, tooltip, around) {
    const tip = shapeDefaults.tip(marks, index, tooltip, around)
    const line = marks.items[locateShapeMark(marks, index).item]
    if (!line) return tip
    const { secondOf: second } = line
    const color = lineColor(line, around)
    const rows = tip.rows.map((row) => ({ ...row, color }))
    if (second) {
      const number = line.second ?? null
      const value = formatter(fullFormat(second.format), around.locale)(number)
      rows.push({ name: second.name, color, value, share: null, number, isHovered: false })
    }
    return { ...tip, rows }
  },
})
