import { numberAt } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { bigNumberSpec } from '../shared/big-number.ts'
import { findColumn } from '../shared/column.ts'
import { figures, form, readKpiTimeShift, type Figure } from './form.ts'

/** What `View` and `svg` draw. Plain JSON. */
export interface PeriodComparisonSpec extends Record<string, unknown> {
  /** Null is drawn as `∅`. Text is drawn as it is. */
  value: number | string | null
  format: string
  /** Verbose name of the metric. */
  measure: string
  size: { header: number; subheader: number }
  /** The same at the other time; null where there was nothing. */
  previous: number | null
  /** The other time: an offset such as `1 year ago`, `inherit`, a date; null where none is chosen. */
  shift: string | null
  figures: { figure: Figure; sign: boolean; name: string }[]
  /** What more of it is; null where changes are not coloured. */
  more: 'good' | 'bad' | null
}

/** A number beside the same number of another time; `total` has one row, with both. */
export default defineChart({
  viz_type: 'pop_kpi',
  name: 'Big Number with Time Period Comparison',
  category: 'KPI',
  tags: ['Comparison', 'Business', 'ECharts', 'Percentages', 'Report', 'Advanced-Analytics'],
  description: 'Shows one large number and its change from an earlier period.',
  icon: 'number',
  thumbnail: { fixture: 'late-flights' },
  series: [],
  exampleGallery: ['late-flights', 'month-before'],
  behaviors: [],
  form,
  queries: (settings) => {
    const shift = readKpiTimeShift(settings)
    return {
      total: {
        columns: [],
        metrics: settings.metric ? [settings.metric] : [],
        ...(shift !== null && { time_offsets: [shift] }),
      },
    }
  },
  spec: ({ total }, settings, look): PeriodComparisonSpec => {
    const label = settings.metric ? labelOfMetric(settings.metric) : ''
    const shift = readKpiTimeShift(settings)
    const earlier = total && shift !== null ? findColumn(total, `${label}__${shift}`) : undefined
    const plain = { ...settings, time_format: 'smart_date', force_timestamp_formatting: false }
    const { value, format, measure, size } = bigNumberSpec(total, total && total.rows > 0 ? 0 : -1, plain, look)
    return {
      value,
      format,
      measure,
      size,
      previous: earlier && total && total.rows > 0 ? numberAt(earlier, 0) : null,
      shift,
      figures: figures.flatMap((figure) => {
        const { visible, displayTypeIcon, customColumnName } = settings.column_config[figure] ?? {}
        return visible === false ? [] : [{ figure, sign: displayTypeIcon !== false, name: customColumnName ?? '' }]
      }),
      more: settings.comparison_color_enabled ? (settings.comparison_color_scheme === 'Red' ? 'bad' : 'good') : null,
    }
  },
})
