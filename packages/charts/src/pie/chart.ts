import type { Cell, Frame } from '@parquetry/frame'
import { labelOfMetric, type PostProcessing } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { othersColor } from '../resolve/paint.ts'
import { createTranslator } from '../resolve/text.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { sortedInitially } from '../shared/controls.ts'
import { buildItems, type ItemSettings } from '../shared/items.ts'
import { labelParts } from '../shared/label-contents.ts'
import { form } from './form.ts'

/** Parts of one metric over its dimensions; `slices` has one row per slice, largest first. */
export default defineChart({
  viz_type: 'pie',
  name: 'Pie Chart',
  category: 'Part of a Whole',
  tags: ['Categorical', 'Circular', 'Comparison', 'Percentages', 'Popular', 'Proportional', 'ECharts'],
  description:
    'Shows the parts of a whole. Best for a handful of parts; bars are easier to compare when there are many.',
  icon: 'pie',
  series: ['pie'],
  thumbnail: { fixture: 'weather' },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: { ...sortedInitially, max_slices: 8 },
  queries: ({ groupby, metric, sort_by_metric, row_limit }) => ({
    slices: {
      columns: groupby,
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
      post_processing: metric ? [contributionStep(labelOfMetric(metric))] : [],
    },
  }),
  spec: ({ slices }, settings, context) => {
    const { metric } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const adds = metric ? isAdditive(metric, context) : true
    const data = metric && slices ? buildSlices(slices, { ...settings, metric }, context) : []
    const parts: readonly string[] = labelPartsByType[settings.label_type]
    return {
      ...(settings.show_legend && { legend: { position: settings.legendOrientation } }),
      tooltip: { trigger: 'item', rows: [{ field: 'value', format, share: adds }] },
      series: [
        {
          type: 'pie',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          radius: resolveRadius(settings),
          ...(settings.roseType && { roseType: settings.roseType }),
          label: {
            show: settings.show_labels,
            parts,
            ...(settings.label_type === 'template' && settings.label_template && { template: settings.label_template }),
            format,
            from: settings.show_labels_threshold,
            position: settings.labels_outside ? 'outside' : 'inside',
          },
          ...(settings.show_total && { total: { format, adds } }),
          labelLine: { show: settings.label_line && settings.labels_outside },
          data,
        },
      ],
    }
  },
})

const labelPartsByType = { ...labelParts, template: labelParts.key } as const

/** Adds each slice's share of the whole for readers of the response; the chart computes its own. */
const contributionStep = (label: string): PostProcessing => ({
  operation: 'contribution',
  options: { columns: [label], rename_columns: [`${label}__contribution`] },
})

const resolveRadius = ({
  donut,
  innerRadius,
  outerRadius,
}: {
  donut: boolean
  innerRadius: number
  outerRadius: number
}) => (donut ? [`${innerRadius}%`, `${outerRadius}%`] : `${outerRadius}%`)

interface Slice {
  name: string
  value: number | null
  combinedSize?: number
  color: string
  key?: Record<string, Cell>
}

interface SliceSettings extends ItemSettings {
  /** Slices below this percentage are grouped. */
  threshold_for_other: number
  /** Slices beyond this number are grouped as well. */
  max_slices?: number | null
}

function buildSlices(frame: Frame, settings: SliceSettings, context: SpecContext): Slice[] {
  const { threshold_for_other: least, max_slices: most } = settings
  const all: Omit<Slice, 'color'>[] = buildItems(frame, settings, context)
  const total = all.reduce((sum, slice) => sum + (slice.value ?? 0), 0)
  const largest = new Set(most ? all.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0)).slice(0, most) : all)
  const isLarge = (slice: Omit<Slice, 'color'>): boolean =>
    largest.has(slice) && (total <= 0 || (100 * (slice.value ?? 0)) / total >= least)
  const others = all.filter((slice) => !isLarge(slice))
  const shown = others.length < 2 ? all : all.filter(isLarge)
  const colorOf = context.colorsOf(shown.map(({ name }) => name))
  const slices = shown.map((slice): Slice => ({ ...slice, color: colorOf(slice.name) }))
  if (shown === all) return slices
  const othersSum = others.reduce((sum, slice) => sum + (slice.value ?? 0), 0)
  const name = createTranslator(context)('picture.others', 'Others ({count})', { count: others.length })
  const size = isAdditive(settings.metric, context) ? { value: othersSum } : { value: null, combinedSize: othersSum }
  return [...slices, { name, ...size, color: othersColor }]
}
