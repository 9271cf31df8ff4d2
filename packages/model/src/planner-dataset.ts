/** Column types with their numbers in the API (`type_generic`, `coltypes`). */
export const GenericType = { NUMERIC: 0, STRING: 1, TEMPORAL: 2, BOOLEAN: 3 } as const
export type GenericType = (typeof GenericType)[keyof typeof GenericType]

/** A column of a dataset for the planner, with the field names of the API (DSET-002). */
export interface PlannerColumn {
  column_name: string
  /** The engine's own type name, upper case; null when unknown. */
  type: string | null
  type_generic: GenericType | null
  is_dttm: boolean
  /** SQL of a calculated column; null or empty for a physical one. */
  expression: string | null
  /** Empty for native times, else `epoch_s`, `epoch_ms` or a strptime pattern. */
  python_date_format: string | null
  verbose_name: string | null
  groupby: boolean
  filterable: boolean
}

export interface PlannerMetric {
  metric_name: string
  expression: string
  verbose_name: string | null
  d3format: string | null
}

/**
 * Dataset as input of the planner (`restrict` and `plan`). Plain JSON, created by the server from its store and by tests
 * directly.
 */
export interface PlannerDataset {
  id: number
  uuid: string
  /** Name of the engine whose dialect writes the SQL: `duckdb`, `postgresql`. */
  engine: string
  table_name: string
  schema: string | null
  catalog: string | null
  /** SQL of a virtual dataset, templates already rendered; null for a table. */
  sql: string | null
  main_dttm_col: string | null
  columns: PlannerColumn[]
  metrics: PlannerMetric[]
  fetch_values_predicate: string | null
  /** Hours added to the temporal values of results. */
  offset: number
  always_filter_main_dttm: boolean
}
