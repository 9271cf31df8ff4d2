import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { bigNumberForm, bigNumberSpec } from '../shared/big-number.ts'
import { filters, Metric } from '../shared/controls.ts'

const form = Type.Object({
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  ...bigNumberForm,
})

/** One number; `total` has one row. */
export default defineChart({
  viz_type: 'big_number_total',
  name: 'Big Number',
  category: 'KPI',
  tags: ['Additive', 'Business', 'ECharts', 'Legacy', 'Percentages', 'Popular', 'Report'],
  description: 'Shows one number large. Best for the measure that everybody should see first.',
  behaviors: ['DRILL_TO_DETAIL'],
  form,
  queries: ({ metric }) => ({ total: { columns: [], metrics: metric ? [metric] : [] } }),
  spec: ({ total }, settings, look) => bigNumberSpec(total, total && total.rows > 0 ? 0 : -1, settings, look),
})
