import type { Frame } from '@parquetry/frame'
import type { Translate } from '@parquetry/charts/draw'
import type { Picture, PictureChart } from '@parquetry/model'
import type { ChartDataResult } from './chart-results.ts'

/** The rows of one chart. */
export interface ChartTables {
  chart: PictureChart
  /** One per query; none if the chart failed. */
  tables: { query: string; frame: Frame }[]
  /** Why there are no rows, or what they lack. */
  note: string | null
}

/** Returns the rows of all charts; those that failed have a note instead, so that nothing is omitted silently. */
export const listChartTables = (
  picture: Picture,
  results: ReadonlyMap<number, ChartDataResult>,
  say: Translate,
): ChartTables[] =>
  picture.charts.map((chart) => {
    const result = results.get(chart.id)
    const tables = Object.entries(result?.frames ?? {}).map(([query, frame]) => ({ query, frame }))
    if (!result || result.error !== null || tables.length === 0) {
      const note = result?.error ?? say('picture.notAnswered', 'Could not load the data for this chart.')
      return { chart, tables: [], note }
    }
    const note = result.isTruncated
      ? say('picture.cut', 'The chart’s row limit was reached. There are more rows.')
      : null
    return { chart, tables, note }
  })
