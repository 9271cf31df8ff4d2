type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toIds = (value: unknown): number[] => (Array.isArray(value) ? value : []).map(Number).filter(Number.isInteger)

/** Columns of filter charts that stand for parts of the time filter, by the setting that shows them. */
const timeFields = {
  date_filter: '__time_range',
  show_sqla_time_column: '__time_col',
  show_sqla_time_granularity: '__time_grain',
  show_druid_time_granularity: '__granularity',
} as const

/**
 * Replaces `filter_immune_slices` and `filter_immune_slice_fields`, with which dashboards exempted charts from filters before there
 * were `filter_scopes`. Scopes that a dashboard has win.
 * @param filters  form data of the filter charts of the dashboard, by their ids
 */
export function convertImmuneCharts(metadata: Fields, filters: ReadonlyMap<number, Fields>): Fields {
  const { filter_immune_slices: charts, filter_immune_slice_fields: columns, ...others } = metadata
  if (charts === undefined && columns === undefined) return metadata
  if (isFields(others['filter_scopes']) && Object.keys(others['filter_scopes']).length > 0) return others
  const byColumn = Object.entries(isFields(columns) ? columns : {})
  const immuneTo = (column: string): number[] => {
    const named = byColumn.flatMap(([id, names]) =>
      Array.isArray(names) && names.includes(column) ? [Number(id)] : [],
    )
    return [...new Set([...toIds(charts), ...toIds(named)])]
  }
  const scopes = [...filters].map(([id, form]) => [
    id,
    Object.fromEntries(listColumns(form).map((column) => [column, { scope: ['ROOT_ID'], immune: immuneTo(column) }])),
  ])
  return { ...others, filter_scopes: Object.fromEntries(scopes) as Fields }
}

function listColumns(form: Fields): string[] {
  const times = Object.entries(timeFields).flatMap(([setting, column]) => (form[setting] === true ? [column] : []))
  const configs = Array.isArray(form['filter_configs']) ? form['filter_configs'].filter(isFields) : []
  return [...times, ...configs.flatMap(({ column }) => (typeof column === 'string' ? [column] : []))]
}
