import Type from 'typebox'
import { control } from '../define.ts'
import {
  choice,
  colorScheme,
  Column,
  currency,
  filters,
  Metric,
  numberFormat,
  rowLimit,
  sortByMetric,
} from '../shared/controls.ts'

const fontSize = (label: string, byDefault: number, description: string) =>
  control(Type.Number({ default: byDefault, minimum: 1, maximum: 400 }), { label, group: 'look', description })

export const form = Type.Object({
  series: control(Column, {
    label: 'Dimension',
    group: 'query',
    as: 'column',
    description: 'One word per value.',
  }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the size of each word.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(100),
  sort_by_metric: sortByMetric('Loads the largest words. Otherwise, loads the words the database returns first.'),
  size_from: fontSize('Minimum font size', 10, 'In pixels, for a word with the value zero.'),
  size_to: fontSize('Maximum font size', 70, 'In pixels, for the largest word. All words shrink if they don’t fit.'),
  rotation: control(choice(['random', 'flat', 'square'], 'square'), {
    label: 'Word rotation',
    group: 'look',
    options: { random: 'Random', flat: 'Flat', square: 'Flat and vertical' },
  }),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
