import Type, { type Static } from 'typebox'
import { control } from '../define.ts'
import { filters, flag, nullable } from '../shared/controls.ts'

/** NATF-042: one select of the box, with field names of the API. */
export const FilterBoxItem = Type.Object({
  column: Type.String(),
  label: Type.Optional(nullable(Type.String())),
  /** Several are separated by semicolons. */
  defaultValue: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  /** Saved metric that ranks its values. */
  metric: Type.Optional(nullable(Type.String())),
  asc: Type.Optional(Type.Boolean()),
  multiple: Type.Optional(Type.Boolean()),
  searchAllOptions: Type.Optional(Type.Boolean()),
  clearable: Type.Optional(Type.Boolean()),
})
export type FilterBoxItem = Static<typeof FilterBoxItem>

/** NATF-050 to NATF-053: defaults of an item. */
export const itemDefaults = { asc: true, multiple: true, clearable: true, searchAllOptions: false } as const

const shown = { group: 'query' } as const

export const form = Type.Object({
  filter_configs: control(Type.Array(FilterBoxItem, { default: [] }), {
    label: 'Filters',
    group: 'query',
    as: 'filter-configs',
    description: 'Columns to filter by.',
  }),
  date_filter: flag('Date filter', true, { ...shown, description: 'Adds a time range filter.' }),
  instant_filtering: flag('Instant filtering', false, {
    ...shown,
    description: 'Applies each choice immediately, without the Apply button.',
  }),
  show_sqla_time_granularity: flag('Show time grain', false, {
    ...shown,
    description: 'Lets users choose the time grain of the charts.',
  }),
  show_sqla_time_column: flag('Show time column', false, {
    ...shown,
    description: 'Lets users choose which time column the time range applies to.',
  }),
  adhoc_filters: control(filters, {
    label: 'Limit selector values',
    group: 'query',
    as: 'filters',
    description: 'Values excluded by these filters are not offered.',
  }),
})
