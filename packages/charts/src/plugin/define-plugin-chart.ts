import type { DynamicPlugin, PluginQuerySetting, PluginSetting } from '@parquetry/model'
import Type, { type TSchema } from 'typebox'
import { control, defineChart, type AnyChart, type ChartForm } from '../define.ts'
import { choice, Column, filters, Metric, nullable, rowLimit, timeGrain } from '../shared/controls.ts'

/** The controls of the settings that decide what is queried; `baseQuery` reads them by these names. */
const querySettings: Record<PluginQuerySetting, TSchema> = {
  x_axis: control(Type.Optional(nullable(Column)), { label: 'X-axis', group: 'query', as: 'x-axis' }),
  time_grain_sqla: timeGrain,
  groupby: control(Type.Array(Column, { default: [] }), { label: 'Dimensions', group: 'query', as: 'columns' }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  metrics: control(Type.Array(Metric, { minItems: 1 }), { label: 'Metrics', group: 'query', as: 'metrics' }),
  columns: control(Type.Array(Column, { default: [] }), { label: 'Columns', group: 'query', as: 'columns' }),
  adhoc_filters: filters,
  row_limit: rowLimit(1000),
}

/** The schema of a setting's values; a default of another type is ignored. */
function schemaOf({ type, default: initial, choices = [] }: PluginSetting): TSchema {
  const hasDefault = (kind: string) => (typeof initial === kind ? { default: initial } : {})
  if (type === 'number') return Type.Number({ default: 0, ...hasDefault('number') })
  if (type === 'checkbox') return Type.Boolean({ default: false, ...hasDefault('boolean') })
  if (type === 'text') return Type.String({ default: '', ...hasDefault('string') })
  return choice(choices, choices.includes(String(initial)) ? String(initial) : choices[0])
}

function controlOf(setting: PluginSetting): TSchema {
  const { label, description } = setting
  return control(schemaOf(setting), {
    label,
    group: 'look',
    isVerbatim: true,
    ...(description !== undefined && { description }),
    ...(setting.choices && { options: Object.fromEntries(setting.choices.map((each) => [each, each])) }),
  })
}

/**
 * The chart type of a plugin: one query of the settings in its form, and no spec of ours, because the module draws in a frame
 * (`views/plugin/PluginView.tsx`). Every plugin has filters and a time range.
 */
export function definePluginChart({ key, name, form }: DynamicPlugin): AnyChart {
  const settings = form.map((setting): [string, TSchema] =>
    typeof setting === 'string' ? [setting, querySettings[setting]] : [setting.name, controlOf(setting)],
  )
  const ownNames = form.flatMap((setting) => (typeof setting === 'string' ? [] : setting.name))
  return defineChart({
    viz_type: key,
    name,
    category: 'Plugins',
    tags: [],
    description: '',
    icon: 'chart',
    series: [],
    behaviors: [],
    form: Type.Object({ ...Object.fromEntries(settings), adhoc_filters: filters }),
    queries: () => ({ rows: {} }),
    baseForms: { rows: (settled) => omit(settled, ownNames) },
    spec: () => ({}),
  })
}

/** A plugin's own setting may be called like one that other charts query, such as `size`. */
const omit = (form: ChartForm, names: readonly string[]): ChartForm =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))
