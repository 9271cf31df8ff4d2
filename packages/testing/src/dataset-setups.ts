import type { DatasetSetup } from './datasets.ts'

/** Sample datasets of the query cases. The tables must be loaded; `v_` datasets are SQL over them. */
export const datasetSetups = {
  cars: {
    table_name: 'cars',
    calculated: [
      { column_name: 'is_usa', expression: '"Origin" = \'USA\'', type: 'BOOLEAN' },
      {
        column_name: 'hp_class',
        expression: `CASE WHEN "Horsepower" >= 150 THEN 'high' WHEN "Horsepower" IS NOT NULL THEN 'low' END`,
        type: 'TEXT',
      },
    ],
    metrics: [{ metric_name: 'avg_hp', expression: 'AVG("Horsepower")', verbose_name: 'Average horsepower' }],
  },
  stocks: { table_name: 'stocks' },
  seattle_weather: { table_name: 'seattle_weather', properties: { fetch_values_predicate: "weather <> 'snow'" } },
  v_cars_eu: {
    table_name: 'v_cars_eu',
    sql: `SELECT "Name" AS name, "Origin" AS origin, "Horsepower" AS hp, "Year" AS yr FROM cars WHERE "Origin" <> 'USA';`,
  },
  v_cars_cte: {
    table_name: 'v_cars_cte',
    sql: 'WITH c AS (SELECT "Origin" AS origin, "Cylinders" AS cyl FROM cars GROUP BY 1, 2) SELECT * FROM c -- all',
  },
  v_dates: {
    table_name: 'v_dates',
    sql: `SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks`,
    columns: {
      ts_s: { is_dttm: true, python_date_format: 'epoch_s' },
      ts_ms: { is_dttm: true, python_date_format: 'epoch_ms' },
      d_text: { is_dttm: true, python_date_format: '%Y-%m-%d' },
    },
  },
} satisfies Record<string, DatasetSetup>

export type SampleName = keyof typeof datasetSetups

const epochIn = (sql: string, seconds: string) => sql.replaceAll('EXTRACT(EPOCH FROM date)', seconds)

/** SQL of samples for engines that need a different spelling. */
const ownSql: Record<string, Partial<Record<SampleName, string>>> = {
  trino: { v_dates: epochIn(datasetSetups.v_dates.sql, 'to_unixtime(date)') },
  mysql: {
    v_dates: `SELECT symbol, price, UNIX_TIMESTAMP(date) AS ts_s, UNIX_TIMESTAMP(date) * 1000 AS ts_ms,
      CAST(CAST(date AS DATE) AS CHAR) AS d_text, CAST(date AS DATE) AS d_date FROM stocks`,
  },
  sqlite: {
    v_dates: `SELECT symbol, price, unixepoch(date) AS ts_s, unixepoch(date) * 1000 AS ts_ms, date(date) AS d_text,
      date(date) AS d_date FROM stocks`,
  },
}

/** Returns a sample dataset for an engine. */
export function toEngineSetup(name: SampleName, engine: string): DatasetSetup {
  const sql = ownSql[engine]?.[name]
  return { ...datasetSetups[name], ...(sql !== undefined && { sql }) }
}
