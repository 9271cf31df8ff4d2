import { HeatmapChart } from 'echarts/charts'
import { VisualMapContinuousComponent, VisualMapPiecewiseComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { fullFormat } from '../../tooltip.ts'
import {
  readCellFacts,
  resolveCellColor,
  readHeatmap,
  navigateCells,
  type HeatmapCell,
  type HeatmapGrid,
} from './cells.ts'
import { heatmapComponents, heatmapOption, isUpward } from './option.ts'

/** Cells in rows and columns, colored by their numbers. */
export default defineItemsFamily<HeatmapCell>({
  parts: [HeatmapChart, VisualMapContinuousComponent, VisualMapPiecewiseComponent],
  read: readHeatmap,
  option: heatmapOption,
  components: heatmapComponents,
  legend: () => [],
  without: (grid) => grid,
  tip(grid: HeatmapGrid, index, { rows = [] }, { locale, theme }) {
    const [row] = rows
    const cell = grid.items[index]
    const share = row?.share ? (cell?.share ?? null) : null
    return {
      title: cell?.name ?? '',
      rows: [
        {
          name: grid.name,
          color: cell ? resolveCellColor(cell, grid, theme) : theme.sunken,
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
  facts: readCellFacts,
  navigate: (grid: HeatmapGrid, index, move) => navigateCells(grid, index, move, isUpward(grid)),
  describe(grid: HeatmapGrid, { kind, tooltip }, { translate, locale }) {
    const cells = grid.items.filter(({ value }) => value !== null)
    const [first] = cells
    if (!first) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const size = ({ value }: HeatmapCell) => value ?? 0
    const high = cells.reduce((most, cell) => (size(cell) > size(most) ? cell : most))
    const low = cells.reduce((least, cell) => (size(cell) < size(least) ? cell : least))
    const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
    return translate(
      'picture.describe.heatmap',
      '{kind} of {names} with {columns, plural, one {# column} other {# columns}} and {rows, plural, one {# row} other {# rows}}. Highest: {high} ({highAt}). Lowest: {low} ({lowAt}).',
      {
        kind,
        names: grid.name,
        columns: grid.x.labels.length,
        rows: grid.y.labels.length,
        high: write(high.value),
        highAt: high.name,
        low: write(low.value),
        lowAt: low.name,
      },
    )
  },
})
