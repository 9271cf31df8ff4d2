import type { ChartForm } from '../define.ts'
import { defineChart } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { seriesQueries, xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { listSeries } from '../shared/time-series/series.ts'
import { titleFormat, findUnfinishedPeriod, valueFormat } from '../shared/time-series/spec.ts'
import { form } from './form.ts'

/** Many time series in compact rows; `series` has one column per row. */
export default defineChart({
  viz_type: 'horizon',
  name: 'Horizon Chart',
  category: 'Distribution',
  tags: ['Legacy'],
  description:
    'Compares many series over time in compact rows. Values above the row height start again from the bottom in a stronger color.',
  icon: 'M2 5.5c2-3 4 0 6-1.5s4-1 6 0M2 9.5c2-1 4-3 6-1s4 0 6-1.5M2 13.5c2-3 4-1 6-2s4 1 6-1',
  series: ['horizon'],
  behaviors: [],
  form,
  queries: (settings) => seriesQueries(asSeries(settings)),
  spec: ({ series }, settings, context) => {
    const seriesSettings = asSeries(settings)
    const x = xLabel(seriesSettings)
    const isTime = series !== undefined && findColumn(series, x)?.kind === 'time'
    const unfinished = isTime ? findUnfinishedPeriod(series, seriesSettings, context) : null
    const rows = series ? listSeries(series, seriesSettings, context) : []
    return {
      tooltip: { trigger: 'item', ...(isTime && { title: { format: titleFormat(seriesSettings) } }) },
      series: [
        {
          type: 'horizon',
          name: rows.map(({ name }) => name).join(', '),
          height: settings.series_height,
          scale: settings.horizon_color_scale,
          isTime,
          format: valueFormat(seriesSettings, context),
          ...(unfinished !== null && { unfinished }),
          rows: rows.map(({ name, key, column }) => ({
            name,
            key,
            points: { x: { column: x }, y: { column } },
          })),
        },
      ],
    }
  },
})

/** Legacy forms define shares only by `contribution`. */
const asSeries = <F extends ChartForm>(form: F): F & SeriesForm =>
  ({
    ...form,
    contributionMode: form.contributionMode ?? (form.contribution === true ? 'row' : null),
    x_axis_sort: null,
    x_axis_sort_asc: true,
    stack: null,
  }) as F & SeriesForm
