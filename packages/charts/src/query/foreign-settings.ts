import type { AnyChart, ChartForm } from '../define.ts'

/** Settings that are read for any chart (`baseQuery`, `buildSpecContext`) but belong only to the types with a control for them. */
const settingsOfSomeTypes = [
  'columns all_columns groupby series query_mode x_axis annotation_layers',
  'metrics metric metric_2 secondary_metric x y size',
  'row_limit row_offset order_by_cols order_desc group_others_when_limit_reached',
  'y_axis_format number_format valueFormat currency_format',
].flatMap((names) => names.split(' '))
/** The same for settings with several names. */
const settingsWithAliases = [
  ['series_limit', 'limit', 'timeseries_limit'],
  ['series_limit_metric', 'timeseries_limit_metric'],
]

/**
 * Returns a form without settings that only other chart types have: they must not group, limit, sort or format this one. The form of
 * an unsupported type, which has no controls, is returned unchanged.
 */
export function withoutForeignSettings({ form: schema }: AnyChart, form: ChartForm): ChartForm {
  const isForeign = (name: string) => !(name in schema.properties)
  if (Object.keys(schema.properties).length === 0) return form
  const own = { ...form }
  const foreign = settingsWithAliases.filter((names) => names.every(isForeign)).flat()
  for (const name of [...settingsOfSomeTypes.filter(isForeign), ...foreign]) delete own[name]
  return own
}
