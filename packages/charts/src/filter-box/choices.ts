import type { QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { settle } from '../read-form.ts'
import { nullText } from '../shared/formats/format.ts'
import { form as schema, itemDefaults, type FilterBoxItem } from './form.ts'

export type ChosenValue = string | number | boolean | null
/** What is chosen, by column, or by the name that filters of time have in `extra_filters`. */
export type Choices = Record<string, ChosenValue | readonly ChosenValue[]>

/** Names of what is no column. */
export const timeKeys = { range: '__time_range', column: '__time_col', grain: '__time_grain' } as const

const noRange = 'No filter'

export const settingsOf = (item: FilterBoxItem) => ({
  ...item,
  asc: item.asc ?? itemDefaults.asc,
  multiple: item.multiple ?? itemDefaults.multiple,
  clearable: item.clearable ?? itemDefaults.clearable,
  searchAllOptions: item.searchAllOptions ?? itemDefaults.searchAllOptions,
})

/** What is chosen before anybody has chosen. */
export function defaultChoices(form: ChartForm): Choices {
  const { filter_configs } = settle(schema, form)
  return Object.fromEntries(
    filter_configs.flatMap((item): [string, Choices[string]][] => {
      const { column, defaultValue, multiple } = settingsOf(item)
      if (defaultValue === undefined || defaultValue === null || defaultValue === '') return []
      if (!multiple) return [[column, defaultValue]]
      const values =
        typeof defaultValue === 'string' ? defaultValue.split(';').map((part) => part.trim()) : [defaultValue]
      return [[column, values.filter((value) => value !== '')]]
    }),
  )
}

export const valuesOf = (chosen: Choices[string] | undefined): ChosenValue[] =>
  chosen === undefined || chosen === null || chosen === '' ? [] : ([chosen].flat() as ChosenValue[])

const textOf = (chosen: Choices[string] | undefined): string => {
  const [value] = valuesOf(chosen)
  return typeof value === 'string' ? value : ''
}

/**
 * The box as an entry of a dashboard's data mask: its choices are what it lays over the forms of other charts.
 * @param form  says the labels of the columns
 */
export function maskOf(form: ChartForm, choices: Choices) {
  const { filter_configs } = settle(schema, form)
  const columns = filter_configs.flatMap((item) => {
    const values = valuesOf(choices[item.column])
    return values.length > 0 ? [{ item, values }] : []
  })
  const range = textOf(choices[timeKeys.range])
  const time = {
    ...(range && range !== noRange && { time_range: range }),
    ...(textOf(choices[timeKeys.column]) && { granularity_sqla: textOf(choices[timeKeys.column]) }),
    ...(textOf(choices[timeKeys.grain]) && { time_grain_sqla: textOf(choices[timeKeys.grain]) }),
  }
  const filters = columns.map(({ item, values }): QueryFilter =>
    settingsOf(item).multiple
      ? { col: item.column, op: 'IN', val: values as (string | number)[] }
      : values[0] === null
        ? { col: item.column, op: 'IS NULL' }
        : { col: item.column, op: '==', val: values[0] as string | number },
  )
  const words = [
    ...columns.map(
      ({ item, values }) => `${item.label || item.column}: ${values.map((v) => v ?? nullText).join(', ')}`,
    ),
    ...Object.values(time),
  ]
  const isEmpty = filters.length === 0 && Object.keys(time).length === 0
  return {
    extraFormData: { ...time, ...(filters.length > 0 && { filters }) },
    filterState: isEmpty ? { value: null } : { value: choices, label: words.join(' · ') },
    ownState: {},
  }
}

/** What a mask says of this box, as `maskOf` wrote it. */
export const choicesOf = (filterState: Record<string, unknown> | undefined): Choices => {
  const value = filterState?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Choices) : {}
}
