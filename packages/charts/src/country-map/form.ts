import Type from 'typebox'
import { control, type DatasetFacts } from '../define.ts'
import { Column, currency, filters, flag, Metric, numberFormat, rowLimit } from '../shared/controls.ts'
import { countries } from '../shared/geo/countries.gen.ts'
import { linearScheme } from '../shared/linear-scheme.ts'

const textual = 1

/** Returns a text column named after subdivisions of a country. */
const regionColumn = ({ columns }: DatasetFacts): string | undefined =>
  columns.find(
    ({ column_name, type_generic }) =>
      type_generic === textual && /iso_?3166|region|state|province|canton|county|department/i.test(column_name),
  )?.column_name

export const form = Type.Object({
  select_country: control(Type.String(), {
    label: 'Country',
    group: 'query',
    description: 'The country to show.',
    options: Object.fromEntries(Object.entries(countries).map(([key, { label }]) => [key, label])),
  }),
  entity: control(Column, {
    label: 'ISO 3166-2 codes',
    group: 'query',
    as: 'column',
    description: 'Column with region codes, such as US-CA or CA. Region names also work.',
    guess: regionColumn,
  }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  linear_color_scheme: linearScheme(),
  show_legend: flag('Show legend', true),
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
