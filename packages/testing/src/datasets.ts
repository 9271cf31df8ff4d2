import type { GenericType, PlannerColumn, PlannerDataset, PlannerMetric } from '@parquetry/model'
import { parseGenericType } from '@parquetry/query'
import { sampleColumns, type SampleColumn } from './sample-columns.ts'

/** The part of the recorded `setup.json` that describes changes to a dataset. */
export interface DatasetSetup {
  table_name: string
  sql?: string
  columns?: Record<string, Partial<PlannerColumn>>
  calculated?: Partial<PlannerColumn>[]
  metrics?: Partial<PlannerMetric>[]
  properties?: Partial<Pick<PlannerDataset, 'fetch_values_predicate' | 'main_dttm_col' | 'offset'>>
}

/** Creates a dataset for a sample table as Superset does, with its `count` metric. */
export function sampleDataset(setup: DatasetSetup, engine: string, schema: string | null): PlannerDataset {
  const columns = (sampleColumns[setup.table_name] ?? []).map((column) => tableColumn(column, setup))
  const calculated = (setup.calculated ?? []).map((given) => completeColumn(given))
  return {
    id: 1,
    uuid: '00000000-0000-4000-8000-000000000001',
    engine,
    table_name: setup.table_name,
    schema: setup.sql ? null : schema,
    catalog: null,
    sql: setup.sql ?? null,
    main_dttm_col: columns.find(({ is_dttm }) => is_dttm)?.column_name ?? null,
    columns: [...calculated, ...columns],
    metrics: [countMetric, ...(setup.metrics ?? []).map(completeMetric)],
    fetch_values_predicate: null,
    offset: 0,
    always_filter_main_dttm: false,
    ...setup.properties,
  }
}

const countMetric: PlannerMetric = {
  metric_name: 'count',
  expression: 'COUNT(*)',
  verbose_name: 'COUNT(*)',
  d3format: null,
}

const completeMetric = (given: Partial<PlannerMetric>): PlannerMetric => ({
  ...countMetric,
  verbose_name: null,
  ...given,
})

const tableColumn = ({ name, type }: SampleColumn, setup: DatasetSetup): PlannerColumn =>
  completeColumn({ column_name: name, type, ...setup.columns?.[name] })

function completeColumn(given: Partial<PlannerColumn>): PlannerColumn {
  const type_generic = parseGenericType(given.type ?? null) as GenericType | null
  return {
    column_name: '',
    type: null,
    type_generic,
    is_dttm: type_generic === 2 && given.type !== 'TIME',
    expression: null,
    python_date_format: null,
    verbose_name: null,
    groupby: true,
    filterable: true,
    ...given,
  }
}
