import { recordSchema } from '@parquetry/model'
import Type from 'typebox'
import { control } from '../define.ts'
import { choice, currency, flag, nullable, timeFormat } from '../shared/controls.ts'
import { compareForm } from './compare.ts'
import { isPaged, pageLengths, tableQueryForm } from '../shared/table/query-form.ts'

/** One entry of `column_config`; other keys are preserved. Field names are the API's. */
export const ColumnConfig = Type.Object(
  {
    d3NumberFormat: Type.Optional(Type.String()),
    d3SmallNumberFormat: Type.Optional(Type.String()),
    d3TimeFormat: Type.Optional(Type.String()),
    fractionDigits: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    currencyFormat: Type.Optional(nullable(Type.Unknown())),
    horizontalAlign: Type.Optional(choice(['left', 'center', 'right'])),
    showCellBars: Type.Optional(Type.Boolean()),
    colorPositiveNegative: Type.Optional(Type.Boolean()),
    alignPositiveNegative: Type.Optional(Type.Boolean()),
    columnWidth: Type.Optional(Type.Number()),
    visible: Type.Optional(Type.Boolean()),
    customColumnName: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

export const form = Type.Object({
  ...tableQueryForm,
  ...compareForm,
  page_length: control(Type.Optional(nullable(Type.Integer({ minimum: 0 }))), {
    label: 'Page length',
    group: 'look',
    presets: [[0, 'All'], ...pageLengths],
    when: (form) => !isPaged(form),
  }),
  include_search: flag('Search box', false, {
    description: 'Shown above the table. With server pagination, it searches one column across the rows of all pages.',
  }),
  frozen_columns: control(Type.Integer({ default: 0, minimum: 0, maximum: 10 }), {
    label: 'Frozen columns',
    group: 'look',
    description: 'Number of leading columns that stay visible while the others scroll.',
  }),
  table_timestamp_format: timeFormat('Time format'),
  show_cell_bars: flag('Cell bars', true),
  align_pn: flag('Align +/-', false, { when: (form) => form.show_cell_bars !== false }),
  color_pn: flag('Color +/-', true, { when: (form) => form.show_cell_bars !== false }),
  allow_render_html: flag('Render columns in HTML format', false, {
    description: 'Renders HTML text, such as links. Unsafe content is removed.',
  }),
  column_config: control(recordSchema(ColumnConfig, { default: {} }), {
    label: 'Customize columns',
    group: 'look',
    as: 'column-config',
  }),
  conditional_formatting: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Conditional formatting',
    group: 'look',
    as: 'conditional-formatting',
    ofRows: true,
  }),
  currency_format: currency,
})
