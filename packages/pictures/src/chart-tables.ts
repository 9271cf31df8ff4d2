import type { Column, Frame } from '@parquetry/frame'
import type { Translate } from '@parquetry/charts/draw'
import type { Picture, PictureChart } from '@parquetry/model'
import type { ChartDataResult } from './chart-results.ts'

/** Rows whose columns have headings of files other than their names. */
export interface TitledFrame extends Frame {
  columns: (Column & { heading?: string })[]
}

/** The rows of one chart. */
export interface ChartTables {
  chart: PictureChart
  /** One per query; none if the chart failed. */
  tables: { query: string; frame: TitledFrame }[]
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
    const tables = Object.entries(result?.frames ?? {}).map(([query, frame]) => ({
      query,
      frame: addHeadings(frame, chart),
    }))
    if (!result || result.error !== null || tables.length === 0) {
      const note = result?.error ?? say('picture.notAnswered', 'Could not load the data for this chart.')
      return { chart, tables: [], note }
    }
    const note = result.isTruncated
      ? say('picture.cut', 'The chart’s row limit was reached. There are more rows.')
      : null
    return { chart, tables, note }
  })

/** As in a download of the chart: the verbose name of the dataset, if there is one. */
function addHeadings({ rows, columns }: Frame, { dataset }: PictureChart): TitledFrame {
  const names = (dataset['verbose_map'] ?? {}) as Readonly<Record<string, string | null>>
  const headingOf = (name: string): string => (Object.hasOwn(names, name) && names[name]) || name
  return { rows, columns: columns.map((column) => ({ ...column, heading: headingOf(column.name) })) }
}
