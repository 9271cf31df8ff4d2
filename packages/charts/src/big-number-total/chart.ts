import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { bigNumberForm, bigNumberSpec } from '../shared/big-number.ts'
import { filters, Metric } from '../shared/controls.ts'
import { isConditionMet, readConditionalFormats } from '../shared/conditional-formats.ts'

const form = Type.Object({
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  ...bigNumberForm,
  conditional_formatting: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Conditional formatting',
    group: 'look',
    as: 'conditional-formatting',
  }),
})

/** One number; `total` has one row. */
export default defineChart({
  viz_type: 'big_number_total',
  name: 'Big Number',
  category: 'KPI',
  tags: ['Additive', 'Business', 'ECharts', 'Legacy', 'Percentages', 'Popular', 'Report'],
  description: 'Shows one large number. Best for the metric that should be seen first.',
  icon: 'number',
  series: [],
  behaviors: ['DRILL_TO_DETAIL'],
  form,
  queries: ({ metric }) => ({ total: { columns: [], metrics: metric ? [metric] : [] } }),
  spec: ({ total }, settings, context) => {
    const spec = bigNumberSpec(total, total && total.rows > 0 ? 0 : -1, settings, context)
    const value = typeof spec.value === 'number' ? spec.value : null
    const rule = readConditionalFormats(settings.conditional_formatting).findLast((each) => isConditionMet(each, value))
    return { ...spec, ...(rule && { tint: rule.color }) }
  },
})
