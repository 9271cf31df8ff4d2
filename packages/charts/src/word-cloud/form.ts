import Type from 'typebox'
import { control } from '../define.ts'
import { choice, colorScheme, Column, currency, filters, Metric, numberFormat, rowLimit } from '../shared/controls.ts'

const fontSize = (label: string, byDefault: number, description: string) =>
  control(Type.Number({ default: byDefault, minimum: 1, maximum: 400 }), { label, group: 'look', description })

export const form = Type.Object({
  series: control(Column, {
    label: 'Dimension',
    group: 'query',
    as: 'column',
    description: 'Each of its values is a word.',
  }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric', description: 'How large a word is.' }),
  adhoc_filters: filters,
  row_limit: rowLimit(100),
  sort_by_metric: control(Type.Boolean({ default: false }), {
    label: 'Sort by metric',
    group: 'query',
    description: 'Asks for the largest words; else for whichever the database gives first.',
  }),
  size_from: fontSize('Minimum font size', 10, 'In pixels, of a word whose number is zero.'),
  size_to: fontSize('Maximum font size', 70, 'In pixels, of the largest word. All are smaller where they do not fit.'),
  rotation: control(choice(['random', 'flat', 'square'], 'square'), {
    label: 'Word rotation',
    group: 'look',
    options: { random: 'In all directions', flat: 'Flat', square: 'Flat and upright' },
  }),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
