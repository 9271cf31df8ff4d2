import type { Frame } from '@parquetry/frame'
import { labelOfMetric, type QueryMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { sortedInitially } from '../shared/controls.ts'
import { findColumn } from '../shared/column.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { findColumns, dimensionFormatter, type ItemSettings } from '../shared/items.ts'
import { labelParts } from '../shared/label-contents.ts'
import { buildHierarchy, type HierarchyNode } from '../shared/hierarchy.ts'
import { form, fromLegacySunburst } from './form.ts'

/** Nested parts of one metric, ring by ring; `parts` has one row per outermost part. */
export default defineChart({
  viz_type: 'sunburst_v2',
  name: 'Sunburst Chart',
  category: 'Part of a Whole',
  tags: ['ECharts', 'Multi-Levels', 'Proportional'],
  description: 'Shows a whole and its nested parts as rings.',
  icon: 'M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 2.5v3.1M10.1 9.2l2.7 1.5M5.9 9.2l-2.7 1.5',
  series: ['sunburst'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: sortedInitially,
  queries: ({ columns, metric, secondary_metric, sort_by_metric, row_limit }) => ({
    parts: {
      columns,
      metrics: unique([metric ?? [], secondary_metric ?? []].flat(), labelOfMetric),
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ parts }, settings, context) => {
    const { columns, metric, secondary_metric: second } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const adds = metric ? isAdditive(metric, context) : true
    const data = metric && parts ? buildRings(parts, { ...settings, groupby: columns, metric }, context) : []
    return {
      tooltip: { trigger: 'item', rows: [{ field: 'value', format, share: adds }] },
      series: [
        {
          type: 'sunburst',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          ...(second && {
            second: { name: context.displayName(labelOfMetric(second)), format: context.formatOf(second) },
            ramp: settings.linear_color_scheme,
          }),
          label: {
            show: settings.show_labels,
            parts: labelParts[settings.label_type],
            format,
            from: settings.show_labels_threshold,
          },
          ...(settings.show_total && { total: { format, adds } }),
          data,
        },
      ],
    }
  },
  replaces: { sunburst: fromLegacySunburst },
})

interface Settings extends ItemSettings {
  secondary_metric?: QueryMetric | null
}

interface SunburstNode extends HierarchyNode {
  /** Sum of the secondary metric; null for several parts when it is not additive. */
  second?: number | null
  children?: SunburstNode[]
}

/**
 * Assigns a color to each part of the innermost ring, shared by the parts in it; with a secondary metric, the ratio of both
 * determines the colors.
 */
function buildRings(frame: Frame, settings: Settings, context: SpecContext): SunburstNode[] {
  const { groupby, metric, secondary_metric: second } = settings
  const tree = (measure: QueryMetric) => {
    const values = findColumn(frame, labelOfMetric(measure))
    const nameOf = dimensionFormatter(context, settings.date_format)
    return values
      ? buildHierarchy(frame, findColumns(frame, groupby), values, nameOf, isAdditive(measure, context))
      : []
  }
  const first = tree(metric)
  const both = second ? withSecond(first, tree(second)) : first
  const parts = sortParts(both)
  const colorOf = context.colorsOf(parts.map(({ name }) => name))
  return parts.map((part) => ({ ...part, color: colorOf(part.name) }))
}

/** Both trees have the same rows, so their parts have the same order. */
const withSecond = (parts: readonly HierarchyNode[], others: readonly HierarchyNode[]): SunburstNode[] =>
  parts.map((part, index) => ({
    ...part,
    second: others[index]?.value ?? null,
    ...(part.children && { children: withSecond(part.children, others[index]?.children ?? []) }),
  }))

/** Sorts each ring by size, largest first, which is also the order of the arrow keys. */
const sortParts = (parts: readonly SunburstNode[]): SunburstNode[] =>
  parts
    .map((part) => (part.children ? { ...part, children: sortParts(part.children) } : part))
    .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))
