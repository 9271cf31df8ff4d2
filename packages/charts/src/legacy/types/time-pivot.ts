import { message } from '@parquetry/model/message'
import { parseFrequency } from '../../time-pivot/periods.ts'
import { mean, metricLabels, listMetrics, requireItems } from '../read.ts'
import { pivotByTime, applyRollingWindow, toShares } from '../series.ts'
import type { RowsType } from '../type.ts'

/** Overlaid periods of one metric: `current`, and `-1`, `-2`, ... by how many periods each is older. */
export const timePivot: RowsType = {
  query(form) {
    const [metric] = requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))
    return { columns: [], metrics: [metric!], is_timeseries: true, orderby: [[metric!, !form.order_desc]] }
  },
  data(frame, form) {
    const [label = ''] = metricLabels(listMetrics(form, 'metric'))
    const laid = applyRollingWindow(pivotByTime(frame, form, [label], { groups: [] }), form)
    const { times, series } = form.contribution ? toShares(laid) : laid
    const values = series[0]?.values ?? []
    // Multiples of a frequency are ignored: `4W-MON` begins on each Monday, as pandas rolls a time back.
    const freq = typeof form.freq === 'string' ? form.freq.trim().replace(/^\d+/, '') : 'W-MON'
    const { startOf } = parseFrequency(freq)
    const last = times.at(-1) ?? 0
    const starts = times.map((time) => startOf(time, last))
    const periods = [...new Set(starts)].toSorted((a, b) => b - a)
    const [newest = 0] = periods
    const over = times.map((time, row) => time - starts[row]! + newest)
    const places = [...new Set(over)].toSorted((a, b) => a - b)
    return periods
      .map((start, rank) => {
        const at = (x: number) => values.filter((_, row) => starts[row] === start && over[row] === x)
        return {
          key: rank === 0 ? 'current' : `-${rank}`,
          values: places.map((x) => ({ x, y: mean(at(x)) })),
          rank,
          perc: 1 - rank / periods.length,
        }
      })
      .filter((line) => line.values.some(({ y }) => y !== null))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  },
}
