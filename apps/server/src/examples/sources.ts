import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface ExampleSource {
  path: string
  format: 'csv' | 'json' | 'parquet' | 'tsv'
  /** Query over the file, named `source`, whose result becomes the table. Null loads the file unchanged. */
  select: string | null
}

/** Queries for the seven files of `vega-datasets` that the examples use, by file name (`examples:<name>`). */
const selects: Record<string, string | null> = {
  'flights-3m.parquet': 'SELECT date, delay, distance, origin, destination FROM source ORDER BY date',
  'airports.csv': 'SELECT iata, name, city, state, country, latitude, longitude FROM source',
  'seattle-weather.csv':
    'SELECT CAST(date AS DATE) AS date, precipitation, temp_max, temp_min, wind, weather FROM source ORDER BY date',
  'earthquakes.json': `
    SELECT make_timestamp(CAST(f.properties.time AS BIGINT) * 1000) AS time, CAST(f.properties.mag AS DOUBLE) AS magnitude,
      f.properties.place AS place, f.properties.type AS type, f.properties.net AS network,
      CAST(f.geometry.coordinates[3] AS DOUBLE) AS depth, CAST(f.geometry.coordinates[2] AS DOUBLE) AS latitude,
      CAST(f.geometry.coordinates[1] AS DOUBLE) AS longitude
    FROM (SELECT unnest(features) AS f FROM source)
    WHERE f.properties.mag IS NOT NULL ORDER BY time`,
  'gapminder.json': `
    SELECT make_date(CAST(year AS INTEGER), 1, 1) AS year, country,
      ['South Asia', 'Europe and Central Asia', 'Sub-Saharan Africa', 'America', 'East Asia and Pacific',
       'Middle East and North Africa'][cluster + 1] AS region, pop, life_expect, fertility
    FROM source ORDER BY year, country`,
  'unemployment-across-industries.json': `
    SELECT make_date(CAST(year AS INTEGER), CAST(month AS INTEGER), 1) AS date, series AS industry, count, rate
    FROM source ORDER BY date, industry`,
  'penguins.json': `
    SELECT Species AS species, Island AS island, lower(nullif(Sex, '.')) AS sex, "Beak Length (mm)" AS beak_length,
      "Beak Depth (mm)" AS beak_depth, "Flipper Length (mm)" AS flipper_length, "Body Mass (g)" AS body_mass
    FROM source`,
}

/** Returns the path of an example file and the query for its table; undefined if there is no example of this name. */
export function exampleSource(file: string): ExampleSource | undefined {
  if (!Object.hasOwn(selects, file)) return undefined
  const folder = join(dirname(createRequire(import.meta.url).resolve('vega-datasets')), '..')
  const format = file.split('.').at(-1) as ExampleSource['format']
  return { path: join(folder, 'data', file), format, select: selects[file] ?? null }
}
