import { HeatmapChart } from 'echarts/charts'
import { VisualMapContinuousComponent, VisualMapPiecewiseComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { fullFormat } from '../../tooltip.ts'
import type { OwnFamily } from '../family.ts'
import { factsOf, fillOf, nameAt, readCells, walkCells, type Cell, type Grid } from './cells.ts'
import { heatmapComponents, heatmapOption, isUpward } from './option.ts'

/** Cells of rows and columns, coloured by their numbers. */
const heatmap: OwnFamily<Grid> = {
  on: 'own',
  parts: [HeatmapChart, VisualMapContinuousComponent, VisualMapPiecewiseComponent],
  read: readCells,
  option: heatmapOption,
  components: heatmapComponents,
  size: ({ cells }) => cells.length,
  isEmpty: ({ cells }) => cells.every(({ value }) => value === null),
  legend: () => [],
  without: (grid) => grid,
  tip(grid, at, { rows = [] }, { locale, theme }) {
    const [row] = rows
    const cell = grid.cells[at]
    const share = row?.share ? (cell?.share ?? null) : null
    return {
      title: cell ? nameAt(grid, cell) : '',
      rows: [
        {
          name: grid.name,
          color: cell ? fillOf(cell, grid, theme) : theme.sunken,
          value: formatter(fullFormat(row?.format), locale)(cell?.value ?? null),
          share: share === null ? null : formatter(',.1~%', locale)(share),
          number: cell?.value ?? null,
          isHovered: true,
        },
      ],
      more: 0,
      total: null,
    }
  },
  facts: factsOf,
  walk: (grid, at, move) => walkCells(grid, at, move, isUpward(grid)),
  describe(grid, { kind, tooltip }, { say, locale }) {
    const cells = grid.cells.filter(({ value }) => value !== null)
    const [first] = cells
    if (!first) return say('picture.describe.empty', '{kind} without data.', { kind })
    const size = ({ value }: Cell) => value ?? 0
    const high = cells.reduce((most, cell) => (size(cell) > size(most) ? cell : most))
    const low = cells.reduce((least, cell) => (size(cell) < size(least) ? cell : least))
    const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
    return say(
      'picture.describe.heatmap',
      '{kind} of {names} with {columns, plural, one {# column} other {# columns}} and {rows, plural, one {# row} other {# rows}}. Highest: {high} ({highAt}). Lowest: {low} ({lowAt}).',
      {
        kind,
        names: grid.name,
        columns: grid.x.labels.length,
        rows: grid.y.labels.length,
        high: write(high.value),
        highAt: nameAt(grid, high),
        low: write(low.value),
        lowAt: nameAt(grid, low),
      },
    )
  },
}

export default heatmap
