import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface SampleTable {
  columns: readonly { name: string; type: string }[]
  /** Values as the files hold them: numbers, texts, ISO days, nulls. */
  rows: readonly Record<string, string | number | null>[]
}

const dataFolder = join(dirname(createRequire(import.meta.url).resolve('vega-datasets')), '..', 'data')

const real = 'DOUBLE PRECISION'
const tables: Record<'cars' | 'stocks' | 'seattle_weather', { file: string; columns: Record<string, string> }> = {
  cars: {
    file: 'cars.json',
    columns: {
      Name: 'TEXT',
      Miles_per_Gallon: real,
      Cylinders: 'INTEGER',
      Displacement: real,
      Horsepower: 'INTEGER',
      Weight_in_lbs: 'INTEGER',
      Acceleration: real,
      Year: 'TIMESTAMP',
      Origin: 'TEXT',
    },
  },
  stocks: { file: 'stocks.csv', columns: { symbol: 'TEXT', date: 'TIMESTAMP', price: real } },
  seattle_weather: {
    file: 'seattle-weather.csv',
    columns: {
      date: 'TIMESTAMP',
      precipitation: real,
      temp_max: real,
      temp_min: real,
      wind: real,
      weather: 'TEXT',
    },
  },
}

/** The tables that the query cases ask, from the files of `vega-datasets`, with the types of the reference. */
export const sampleTables = (): Record<string, SampleTable> =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { file, columns }]) => [
      name,
      {
        columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
        rows: read(file).map((row) =>
          Object.fromEntries(
            Object.entries(columns).map(([column, type]) => [column, typed(row[column] ?? null, type)]),
          ),
        ),
      },
    ]),
  )

function read(file: string): Record<string, string | number | null>[] {
  const text = readFileSync(join(dataFolder, file), 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text) as Record<string, string | number | null>[]
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, at) => [names[at] ?? '', value])))
}

function typed(value: string | number | null, type: string): string | number | null {
  if (value === null || type === 'TEXT') return value
  if (type === 'TIMESTAMP') return new Date(`${value} UTC`).toISOString().slice(0, 10)
  return value === '' ? null : Number(value)
}
