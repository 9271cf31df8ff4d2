import Type from 'typebox'
import { control, type DatasetFacts } from '../define.ts'
import {
  choice,
  colorSchemeWhen,
  Column,
  currency,
  filters,
  flag,
  Metric,
  nullable,
  nameOfColumn,
  numberFormat,
  rowLimit,
  sortByMetric,
} from '../shared/controls.ts'
import { linearScheme } from '../shared/linear-scheme.ts'

const Color = Type.Object(
  { r: Type.Number(), g: Type.Number(), b: Type.Number(), a: Type.Optional(Type.Number()) },
  { default: { r: 0, g: 122, b: 135, a: 1 } },
)

const textual = 1

/** Returns a text column whose name suggests countries. */
const countryColumn = ({ columns }: DatasetFacts): string | undefined =>
  columns.find(
    ({ column_name, type_generic }) =>
      type_generic === textual && /country|nation|cca[23]|cioc|iso_?[23]/i.test(column_name),
  )?.column_name

/** Returns the typical content of a column with this name. */
function guessFieldType(column: string | undefined): string | undefined {
  if (column === undefined) return undefined
  if (/cioc|ioc/i.test(column)) return 'cioc'
  if (/cca3|iso_?3|alpha_?3|country_?code/i.test(column)) return 'cca3'
  if (/cca2|iso_?2|alpha_?2|code/i.test(column)) return 'cca2'
  return 'name'
}

export const form = Type.Object({
  entity: control(Column, { label: 'Country column', group: 'query', as: 'column', guess: countryColumn }),
  country_fieldtype: control(choice(['name', 'cioc', 'cca2', 'cca3'], 'cca2'), {
    label: 'Country field type',
    group: 'query',
    options: {
      name: 'Full name',
      cioc: 'International Olympic Committee code (cioc)',
      cca2: 'ISO 3166-1 alpha-2 code (cca2)',
      cca3: 'ISO 3166-1 alpha-3 code (cca3)',
    },
    description: 'Type of values in the country column.',
    guess: (_, { entity }) => guessFieldType(nameOfColumn(entity)),
  }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the color of each country.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: sortByMetric(
    'Sorts the largest values first. If the row limit is reached, the smallest are left out.',
  ),
  show_bubbles: flag('Show bubbles', false, { section: 'Bubbles' }),
  secondary_metric: control(Type.Optional(nullable(Metric)), {
    label: 'Bubble size',
    group: 'query',
    as: 'metric',
    description: 'A second metric, shown as the area of bubbles on the countries.',
  }),
  max_bubble_size: control(Type.Number({ default: 25, minimum: 1, maximum: 500 }), {
    label: 'Max bubble size',
    group: 'look',
    section: 'Bubbles',
    description: 'Radius of the largest bubble, in pixels, if the chart has room for it.',
    presets: [5, 10, 15, 25, 50, 75, 100].map((size) => [size, String(size)] as const),
    when: ({ show_bubbles }) => show_bubbles === true,
  }),
  color_picker: control(Color, {
    label: 'Bubble color',
    group: 'look',
    section: 'Bubbles',
    as: 'color',
    when: ({ show_bubbles }) => show_bubbles === true,
  }),
  color_by: control(choice(['metric', 'country'], 'metric'), {
    label: 'Color by',
    group: 'look',
    options: { metric: 'Metric', country: 'Country' },
    description: 'Color by metric value, or with a different color for each country.',
  }),
  linear_color_scheme: linearScheme({ when: ({ color_by }) => color_by !== 'country' }),
  color_scheme: colorSchemeWhen(({ color_by }) => color_by === 'country'),
  show_legend: flag('Show legend', true),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
})
