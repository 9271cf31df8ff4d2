import { defaultChoices, filterBoxMask } from '@parquetry/charts'
import { parseExactJson, type DataMask } from '@parquetry/model'
import type { ChartRecord, DashboardDocument } from '../document/read-dashboard.ts'

export const isFilterBox = ({ form_data }: ChartRecord): boolean => form_data.viz_type === 'filter_box'

export const hasFilterBoxes = ({ charts }: Pick<DashboardDocument, 'charts'>): boolean =>
  [...charts.values()].some(isFilterBox)

/** Initial filters of the filter boxes of a dashboard: the defaults of their items. */
export const filterBoxMasks = ({ charts }: Pick<DashboardDocument, 'charts'>): DataMask =>
  Object.fromEntries(
    [...charts.values()]
      .filter(isFilterBox)
      .map(({ id, form_data }) => [String(id), filterBoxMask(form_data, defaultChoices(form_data))] as const)
      .filter(([, { extraFormData }]) => Object.keys(extraFormData).length > 0),
  )

/** Reads the values that a legacy link selects in filter boxes: JSON of chart id -> column -> value or values. */
export function preselectedMasks(charts: DashboardDocument['charts'], text: string | undefined): DataMask {
  const valuesByChart = asObject(parseOrEmpty(text))
  return Object.fromEntries(
    Object.entries(valuesByChart).flatMap(([id, columns]) => {
      const chart = charts.get(Number(id))
      if (!chart || !isFilterBox(chart)) return []
      const choices = {
        ...defaultChoices(chart.form_data),
        ...(asObject(columns) as ReturnType<typeof defaultChoices>),
      }
      return [[id, filterBoxMask(chart.form_data, choices)] as const]
    }),
  )
}

function parseOrEmpty(text: string | undefined): unknown {
  try {
    return parseExactJson(text ?? '{}')
  } catch {
    return {}
  }
}

export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
