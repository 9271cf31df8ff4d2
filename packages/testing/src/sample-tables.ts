import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sampleColumns, type SampleColumn } from './sample-columns.ts'

export interface SampleTable {
  columns: readonly SampleColumn[]
  /** Values as in the files: numbers, texts, ISO days, nulls. */
  rows: readonly Record<string, string | number | null>[]
}

const dataFolder = join(dirname(createRequire(import.meta.url).resolve('vega-datasets')), '..', 'data')

const files = {
  cars: 'cars.json',
  stocks: 'stocks.csv',
  seattle_weather: 'seattle-weather.csv',
  movies: 'movies.json',
  gapminder: 'gapminder.json',
  birdstrikes: 'birdstrikes.csv',
  disasters: 'disasters.csv',
  airports: 'airports.csv',
}
type FileTable = keyof typeof files

/** `flights` is the first 200,000 rows of this file, in its order; only an engine can read it. */
export const flightsFile = { path: join(dataFolder, 'flights-3m.parquet'), format: 'parquet', rows: 200_000 } as const

/** Tables used by the recorded cases, in addition to `flights`. */
export const recordedTables = Object.keys(files) as FileTable[]

/** Returns tables from the files of `vega-datasets`, with Superset's types; by default those of the query cases. */
export const sampleTables = (
  names: readonly FileTable[] = ['cars', 'stocks', 'seattle_weather'],
): Record<string, SampleTable> => Object.fromEntries(names.map((name) => [name, sampleTable(name)]))

function sampleTable(name: FileTable): SampleTable {
  const columns = sampleColumns[name] ?? []
  const rows = read(files[name]).map((row) =>
    Object.fromEntries(columns.map((column) => [column.name, typed(row[column.name] ?? null, column.type)])),
  )
  return { columns, rows }
}

function read(file: string): Record<string, string | number | null>[] {
  const text = readFileSync(join(dataFolder, file), 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text) as Record<string, string | number | null>[]
  const [names = [], ...lines] = text.trim().split(/\r?\n/).map(cells)
  return lines.map((line) => Object.fromEntries(line.map((value, index) => [names[index] ?? '', value])))
}

/** Splits a CSV line into cells; no file has a line break in a cell. */
const cells = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

function typed(value: string | number | null, type: string): string | number | null {
  if (value === null) return null
  if (type === 'TEXT') return String(value)
  if (value === '') return null
  return type === 'TIMESTAMP' || type === 'DATE' ? new Date(`${value} UTC`).toISOString().slice(0, 10) : Number(value)
}
