import type { Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { sortedInitially } from '../shared/controls.ts'
import { findColumn } from '../shared/column.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { findColumns, dimensionFormatter, type ItemSettings } from '../shared/items.ts'
import { buildHierarchy, type HierarchyNode } from '../shared/hierarchy.ts'
import { form, fromLegacyTreemap } from './form.ts'

/** Nested parts of one metric; `parts` has one row per innermost part. */
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
  initialSettings: sortedInitially,
  queries: ({ groupby, metric, sort_by_metric, row_limit }) => ({
    parts: {
      columns: groupby,
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ parts }, settings, context) => {
    const { metric } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    return {
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format, share: metric ? isAdditive(metric, context) : true }],
      },
      series: [
        {
          type: 'treemap',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          sort: 'desc',
          label: { show: settings.show_labels, parts: labelPartsByType[settings.label_type], format },
          upperLabel: { show: settings.show_upper_labels },
          data: metric && parts ? buildColoredNodes(parts, { ...settings, metric }, context) : [],
        },
      ],
    }
  },
  replaces: { treemap: fromLegacyTreemap },
})

const labelPartsByType = { key: ['name'], value: ['value'], key_value: ['name', 'value'] } as const

/** Assigns a color to each outermost part, shared by the parts in it. */
function buildColoredNodes(
  frame: Frame,
  { groupby, metric, date_format: date }: ItemSettings,
  context: SpecContext,
): HierarchyNode[] {
  const values = findColumn(frame, labelOfMetric(metric))
  if (!values) return []
  const nodes = buildHierarchy(
    frame,
    findColumns(frame, groupby),
    values,
    dimensionFormatter(context, date),
    isAdditive(metric, context),
  )
  const colorOf = context.colorsOf(nodes.map(({ name }) => name))
  return nodes.map((node) => ({ ...node, color: colorOf(node.name) }))
}
