import type { Dataset, DatasetColumn, DatasetMetric, GenericType } from '@parquetry/model'
import { genericTypeOf } from '@parquetry/query'

/** Columns of the sample tables in their order, with types that every engine understands. */
const tables: Record<string, string> = {
  flights: 'date TIMESTAMP, delay INTEGER, distance INTEGER, origin TEXT, destination TEXT',
  cars: `Name TEXT, Miles_per_Gallon DOUBLE PRECISION, Cylinders INTEGER, Displacement DOUBLE PRECISION, Horsepower INTEGER,
    Weight_in_lbs INTEGER, Acceleration DOUBLE PRECISION, Year TIMESTAMP, Origin TEXT`,
  movies: `Title TEXT, US Gross BIGINT, Worldwide Gross BIGINT, US DVD Sales BIGINT, Production Budget BIGINT,
    Release Date DATE, MPAA Rating TEXT, Running Time min INTEGER, Distributor TEXT, Source TEXT, Major Genre TEXT,
    Creative Type TEXT, Director TEXT, Rotten Tomatoes Rating INTEGER, IMDB Rating DOUBLE PRECISION, IMDB Votes INTEGER`,
  stocks: 'symbol TEXT, date TIMESTAMP, price DOUBLE PRECISION',
  seattle_weather: `date TIMESTAMP, precipitation DOUBLE PRECISION, temp_max DOUBLE PRECISION, temp_min DOUBLE PRECISION,
    wind DOUBLE PRECISION, weather TEXT`,
  gapminder: `year INTEGER, country TEXT, cluster INTEGER, pop BIGINT, life_expect DOUBLE PRECISION,
    fertility DOUBLE PRECISION`,
  birdstrikes: `Airport Name TEXT, Aircraft Make Model TEXT, Effect Amount of damage TEXT, Flight Date TIMESTAMP,
    Aircraft Airline Operator TEXT, Origin State TEXT, Phase of flight TEXT, Wildlife Size TEXT, Wildlife Species TEXT,
    Time of day TEXT, Cost Other INTEGER, Cost Repair INTEGER, Cost Total $ INTEGER, Speed IAS in knots INTEGER`,
  disasters: 'Entity TEXT, Year INTEGER, Deaths INTEGER',
  airports: `iata TEXT, name TEXT, city TEXT, state TEXT, country TEXT, latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION`,
  v_cars_eu: 'name TEXT, origin TEXT, hp INTEGER, yr TIMESTAMP',
  v_cars_cte: 'origin TEXT, cyl INTEGER, hp DOUBLE PRECISION',
  v_cars_jinja: 'name TEXT, origin TEXT, hp INTEGER, yr TIMESTAMP',
  v_dates: 'symbol TEXT, price DOUBLE PRECISION, ts_s BIGINT, ts_ms BIGINT, d_text TEXT, d_date DATE',
  v_types: `i INTEGER, t TEXT, b BOOLEAN, n DECIMAL(10#2), f DOUBLE PRECISION, big BIGINT, d DATE, ts TIMESTAMP, tm TIME`,
}

/** The part of the recorded `setup.json` that says what was changed about a dataset. */
export interface DatasetSetup {
  table_name: string
  sql?: string
  columns?: Record<string, Partial<DatasetColumn>>
  calculated?: Partial<DatasetColumn>[]
  metrics?: Partial<DatasetMetric>[]
  properties?: Partial<Pick<Dataset, 'fetch_values_predicate' | 'main_dttm_col' | 'offset'>>
}

/** A dataset over one of the sample tables as the reference makes it, with its `count` metric. */
export function sampleDataset(setup: DatasetSetup, engine: string, schema: string | null): Dataset {
  const columns = (tables[setup.table_name] ?? '').split(/,\s*/).map((text) => tableColumn(text, setup))
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

const countMetric: DatasetMetric = {
  metric_name: 'count',
  expression: 'COUNT(*)',
  verbose_name: 'COUNT(*)',
  d3format: null,
}

const completeMetric = (given: Partial<DatasetMetric>): DatasetMetric => ({
  ...countMetric,
  verbose_name: null,
  ...given,
})

function tableColumn(text: string, setup: DatasetSetup): DatasetColumn {
  const [, column_name = '', type = ''] = /^(.*?) ([A-Z]+(?: PRECISION|\(.*\))?)$/.exec(text.trim()) ?? []
  return completeColumn({ column_name, type: type.replace('#', ', '), ...setup.columns?.[column_name] })
}

function completeColumn(given: Partial<DatasetColumn>): DatasetColumn {
  const type_generic = genericTypeOf(given.type ?? null) as GenericType | null
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
