import { defaultChoices, itemDefaults, type FilterBoxItem } from '@parquetry/charts'
import {
  chartsInScope,
  rootId,
  type FilterScope,
  type LayoutNode,
  type LayoutNodes,
  type NativeFilter,
} from '@parquetry/model'
import type { ChartRecord, DashboardDocument } from '../document/read-dashboard.ts'
import { asObject, isFilterBox } from './filter-boxes.ts'
import { getKind } from './kinds/registry.ts'

/** A filter box of a dashboard (NATF-041). */
export interface FilterBox {
  chartId: number
  /** Layout node of its chart. */
  componentId: string
  datasourceId: string
  filterName: string
  /** Path from the root to its node, inclusive. */
  directPathToFilter: string[]
  /** Column -> default value; null for none. Time filters are named `__time_range`, `__time_grain`, `__time_col`. */
  columns: Record<string, unknown>
  /** Column -> label of its field. */
  labels: Record<string, string>
  /** Column -> containers in scope, and charts excluded from it. */
  scopes: Record<string, { scope: string[]; immune: number[] }>
  isDateFilter: boolean
  isInstantFilter: boolean
}

const entireDashboard = { scope: [rootId], immune: [] }

const itemsOf = ({ form_data }: ChartRecord): FilterBoxItem[] =>
  Array.isArray(form_data.filter_configs) ? (form_data.filter_configs as FilterBoxItem[]) : []

/** Filter boxes in a layout. */
export function listFilterBoxes({ charts, metadata }: DashboardDocument, nodes: LayoutNodes): FilterBox[] {
  const boxes = Object.values(nodes).flatMap((node): { node: LayoutNode; chart: ChartRecord }[] => {
    const chart = charts.get(node.meta.chartId ?? -1)
    return chart && isFilterBox(chart) ? [{ node, chart }] : []
  })
  return boxes.map(({ node, chart }) => {
    const form = chart.form_data
    const items = itemsOf(chart)
    const isDateFilter = form.date_filter !== false
    const times = {
      ...(isDateFilter && { __time_range: form.time_range ?? null }),
      ...(form.show_sqla_time_granularity === true && { __time_grain: null }),
      ...(form.show_sqla_time_column === true && { __time_col: null }),
    }
    const savedScopes = asObject(asObject(metadata.filter_scopes)[String(chart.id)])
    const columns = {
      ...times,
      ...Object.fromEntries(items.map(({ column }) => [column, null])),
      ...defaultChoices(form),
    }
    return {
      chartId: chart.id,
      componentId: node.id,
      datasourceId: String(form.datasource ?? ''),
      filterName: chart.slice_name,
      directPathToFilter: [...node.parents, node.id],
      columns,
      labels: Object.fromEntries(items.map(({ column, label }) => [column, label || column])),
      scopes: Object.fromEntries(
        Object.keys(columns).map((column) => [
          column,
          { ...entireDashboard, ...(asObject(savedScopes[column]) as Partial<typeof entireDashboard>) },
        ]),
      ),
      isDateFilter,
      isInstantFilter: form.instant_filtering === true,
    }
  })
}

/**
 * Converts filter boxes to filters of the bar: one for each column and each time setting that they offer.
 * @param suffix  returns a new suffix for each id
 * @param controlNames  names of the time filters
 */
export function toNativeFilters(
  dashboard: DashboardDocument,
  nodes: LayoutNodes,
  suffix: () => string,
  controlNames: Readonly<Record<string, string>>,
): NativeFilter[] {
  return listFilterBoxes(dashboard, nodes).flatMap((box) => {
    const dataset = Number.parseInt(box.datasourceId, 10)
    const chart = dashboard.charts.get(box.chartId)
    const items = new Map(chart ? itemsOf(chart).map((item) => [item.column, item]) : [])
    return Object.entries(box.columns).map(([column, value]): NativeFilter => {
      const item = items.get(column)
      const filterType = boxTimes[column] ?? 'filter_select'
      const { multiple = itemDefaults.multiple, clearable = itemDefaults.clearable } = item ?? {}
      const { searchAllOptions = itemDefaults.searchAllOptions, asc = itemDefaults.asc, metric } = item ?? {}
      const filter: NativeFilter = {
        id: `NATIVE_FILTER-${suffix()}`,
        type: 'NATIVE_FILTER',
        name: box.labels[column] ?? controlNames[column] ?? column,
        filterType,
        targets: [
          item
            ? { datasetId: dataset, column: { name: column } }
            : filterType === 'filter_time'
              ? {}
              : { datasetId: dataset },
        ],
        controlValues: item
          ? {
              multiSelect: multiple,
              enableEmptyFilter: !clearable,
              searchAllOptions,
              ...(metric && { sortAscending: asc }),
            }
          : {},
        ...(item && metric && { sortMetric: metric }),
        ...(Array.isArray(chart?.form_data.adhoc_filters) && item && { adhoc_filters: chart.form_data.adhoc_filters }),
        cascadeParentIds: [],
        scope: toFilterScope(nodes, box.scopes[column] ?? entireDashboard),
        description: '',
      }
      const { extraFormData = {}, filterState = {} } = getKind(filterType).entry(filter, value)
      return { ...filter, defaultDataMask: { extraFormData, filterState } }
    })
  })
}

const boxTimes: Readonly<Record<string, string>> = {
  __time_range: 'filter_time',
  __time_grain: 'filter_timegrain',
  __time_col: 'filter_timecolumn',
}

const toFilterScope = (nodes: LayoutNodes, { scope, immune }: { scope: string[]; immune: number[] }): FilterScope => {
  const rootPath = scope.length > 0 ? scope : [rootId]
  const inside = new Set(chartsInScope(nodes, { rootPath, excluded: [] }))
  return { rootPath, excluded: immune.filter((id) => inside.has(id)) }
}
