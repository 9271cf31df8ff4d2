import type { Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import { defineChart, type Look } from '../define.ts'
import { columnNamed } from '../shared/column.ts'
import { addsUp } from '../shared/computed-by.ts'
import { columnsIn, nameIn, type ItemSettings } from '../shared/items.ts'
import { treeOf, type Node } from '../shared/levels.ts'
import { form, fromLegacyTreemap } from './form.ts'

/** Parts within parts of one metric; `parts` has one row per innermost part. */
export default defineChart({
  viz_type: 'treemap_v2',
  name: 'Treemap',
  category: 'Part of a Whole',
  tags: ['Categorical', 'Comparison', 'ECharts', 'Multi-Levels', 'Percentages', 'Proportional'],
  description: 'Shows a whole and its nested parts as areas. Fits many more parts than a pie chart.',
  icon: 'M2.5 2.5h11v11h-11zM8.5 2.5v11M8.5 8h5M11 8v5.5',
  series: ['treemap'],
  thumbnail: { fixture: 'population', form: { show_upper_labels: false } },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: ({ groupby, metric, sort_by_metric, row_limit }) => ({
    parts: {
      columns: groupby,
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ parts }, settings, look) => {
    const { metric } = settings
    const format = metric ? look.formatOf(metric) : 'SMART_NUMBER'
    return {
      tooltip: { trigger: 'item', rows: [{ field: 'value', format, share: metric ? addsUp(metric, look) : true }] },
      series: [
        {
          type: 'treemap',
          name: metric ? look.verbose(labelOfMetric(metric)) : '',
          sort: settings.sort_by_metric ? 'desc' : false,
          label: { show: settings.show_labels, parts: partsOf[settings.label_type], format },
          upperLabel: { show: settings.show_upper_labels },
          data: metric && parts ? coloured(parts, { ...settings, metric }, look) : [],
        },
      ],
    }
  },
  replaces: { treemap: fromLegacyTreemap },
})

const partsOf = { key: ['name'], value: ['value'], key_value: ['name', 'value'] } as const

/** The outermost parts have a colour each, which theirs share. */
function coloured(frame: Frame, { groupby, metric, date_format: date }: ItemSettings, look: Look): Node[] {
  const values = columnNamed(frame, labelOfMetric(metric))
  if (!values) return []
  const nodes = treeOf(frame, columnsIn(frame, groupby), values, nameIn(look, date), addsUp(metric, look))
  const colorOf = look.colorsOf(nodes.map(({ name }) => name))
  return nodes.map((node) => ({ ...node, color: colorOf(node.name) }))
}
