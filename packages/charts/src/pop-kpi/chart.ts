import { numberAt } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { bigNumberSpec } from '../shared/big-number.ts'
import { findColumn } from '../shared/column.ts'
import { figures, form, readKpiTimeShift, type Figure } from './form.ts'

/** Spec drawn by `View` and `svg`. Plain JSON. */
export interface PeriodComparisonSpec extends Record<string, unknown> {
  /** Null is drawn as `∅`, text unchanged. */
  value: number | string | null
  format: string
  /** Verbose name of the metric. */
  measure: string
  size: { header: number; subheader: number }
  /** Value at the comparison time; null when there is none. */
  previous: number | null
  /** The comparison time: an offset such as `1 year ago`, `inherit` or a date; null when none is selected. */
  shift: string | null
  figures: { figure: Figure; sign: boolean; name: string }[]
  /** Meaning of an increase; null when changes are not colored. */
  more: 'good' | 'bad' | null
}

/** A number next to its value at another time; `total` has one row with both. */
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
  spec: ({ total }, settings, context): PeriodComparisonSpec => {
    const label = settings.metric ? labelOfMetric(settings.metric) : ''
    const shift = readKpiTimeShift(settings)
    const earlier = total && shift !== null ? findColumn(total, `${label}__${shift}`) : undefined
    const plain = { ...settings, time_format: 'smart_date', force_timestamp_formatting: false }
    const { value, format, measure, size } = bigNumberSpec(total, total && total.rows > 0 ? 0 : -1, plain, context)
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
