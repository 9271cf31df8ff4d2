import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  colorScheme,
  Column,
  currency,
  filters,
  Metric,
  numberFormat,
  rowLimit,
  sortByMetric,
} from '../shared/controls.ts'

export const form = Type.Object({
  source: control(Column, {
    label: 'Source',
    group: 'query',
    as: 'column',
    description: 'Where the link starts.',
  }),
  target: control(Column, { label: 'Target', group: 'query', as: 'column', description: 'Where the link ends.' }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the width of each link.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: sortByMetric('If the row limit is reached, the smallest links are left out.'),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
})

/** Converts the legacy chart, whose two dimensions are source and target. */
export const fromLegacySankey = (old: ChartForm): ChartForm => {
  const [source, target] = [old.groupby ?? []].flat() as unknown[]
  return {
    ...old,
    viz_type: 'sankey_v2',
    source: old.source ?? source,
    target: old.target ?? target,
    number_format: old.number_format ?? old.y_axis_format,
    form_data_bak: old,
  }
}
