import { exactFields, type QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { applyDefaults } from '../read-form.ts'
import { formatValue } from '../shared/formats/format.ts'
import { form as schema, itemDefaults, type FilterBoxItem } from './form.ts'

export type ChosenValue = string | number | boolean | null
/** Selected values by column, or by the name of a time filter in `extra_filters`. */
export type Choices = Record<string, ChosenValue | readonly ChosenValue[]>

/** Keys of the time filters, which are not columns. */
export const timeKeys = { range: '__time_range', column: '__time_col', grain: '__time_grain' } as const

const noTimeFilter = 'No filter'

export const withItemDefaults = (item: FilterBoxItem) => ({
  ...item,
  asc: item.asc ?? itemDefaults.asc,
  multiple: item.multiple ?? itemDefaults.multiple,
  clearable: item.clearable ?? itemDefaults.clearable,
  searchAllOptions: item.searchAllOptions ?? itemDefaults.searchAllOptions,
})

/** Choices before the user makes any. */
export function defaultChoices(form: ChartForm): Choices {
  const { filter_configs } = applyDefaults(schema, form)
  return Object.fromEntries(
    filter_configs.flatMap((item): [string, Choices[string]][] => {
      const { column, defaultValue, multiple } = withItemDefaults(item)
      if (defaultValue === undefined || defaultValue === null || defaultValue === '') return []
      if (!multiple) return [[column, defaultValue]]
      const values =
        typeof defaultValue === 'string' ? defaultValue.split(';').map((part) => part.trim()) : [defaultValue]
      return [[column, values.filter((value) => value !== '')]]
    }),
  )
}

export const listChosenValues = (chosen: Choices[string] | undefined): ChosenValue[] =>
  chosen === undefined || chosen === null || chosen === '' ? [] : ([chosen].flat() as ChosenValue[])

const toText = (chosen: Choices[string] | undefined): string => {
  const [value] = listChosenValues(chosen)
  return typeof value === 'string' ? value : ''
}

/**
 * Returns the box as an entry of a dashboard's data mask: its choices override the forms of other charts.
 * @param form  defines the labels of the columns
 */
export function buildFilterBoxMask(form: ChartForm, choices: Choices) {
  const { filter_configs } = applyDefaults(schema, form)
  const columns = filter_configs.flatMap((item) => {
    const values = listChosenValues(choices[item.column])
    return values.length > 0 ? [{ item, values }] : []
  })
  const range = toText(choices[timeKeys.range])
  const time = {
    ...(range && range !== noTimeFilter && { time_range: range }),
    ...(toText(choices[timeKeys.column]) && { granularity_sqla: toText(choices[timeKeys.column]) }),
    ...(toText(choices[timeKeys.grain]) && { time_grain_sqla: toText(choices[timeKeys.grain]) }),
  }
  const filters = columns.map(({ item, values }): QueryFilter =>
    withItemDefaults(item).multiple
      ? { col: item.column, op: 'IN', val: values as (string | number)[], ...exactFields(values) }
      : values[0] === null
        ? { col: item.column, op: 'IS NULL' }
        : { col: item.column, op: '==', val: values[0] as string | number, ...exactFields(values) },
  )
  const words = [
    ...columns.map(({ item, values }) => `${item.label || item.column}: ${values.map(formatValue).join(', ')}`),
    ...Object.values(time),
  ]
  const isEmpty = filters.length === 0 && Object.keys(time).length === 0
  return {
    extraFormData: { ...time, ...(filters.length > 0 && { filters }) },
    filterState: isEmpty ? { value: null } : { value: choices, label: words.join(' · ') },
    ownState: {},
  }
}

/** Reads the choices of this box from a mask written by `buildFilterBoxMask`. */
export const readChoices = (filterState: Record<string, unknown> | undefined): Choices => {
  const value = filterState?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Choices) : {}
}
