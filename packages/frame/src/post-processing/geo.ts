import { textAt } from '../cells.ts'
import { buildColumn, buildNumberColumn } from '../columns.ts'
import { decodeGeohash, encodeGeohash } from './geohash.ts'
import { parsePoint } from './geodetic.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { getColumn, type Table, type TableColumn } from './table.ts'

const readTexts = (table: Table, name: string): (string | null)[] => {
  const column = getColumn(table, name)
  return Array.from({ length: table.rows }, (_, row) => textAt(column, row))
}
const added = (table: Table, ...columns: TableColumn[]): Table => ({
  ...table,
  columns: [...table.columns, ...columns],
})
const numbers = (name: string, values: number[]): TableColumn => ({
  label: [name],
  data: buildNumberColumn(name, Float64Array.from(values)),
})

/** `geohash_decode`: adds the latitude and longitude of the center of each cell. */
export function geohashDecode(table: Table, options: Options): Table {
  const [geohash, latitude, longitude] = readColumnNames(options, 'geohash', 'latitude', 'longitude')
  const points = readTexts(table, geohash).map((text) => {
    if (text === null) throw invalidStep(message('errors.frame.noGeohash', 'A geohash is missing.'))
    const point = decodeGeohash(text)
    if (!point) throw new StepRefusal(`\`${text}\` is not a valid geohash.`)
    return point
  })
  return added(
    table,
    numbers(
      latitude,
      points.map(([one]) => one),
    ),
    numbers(
      longitude,
      points.map(([, one]) => one),
    ),
  )
}

/** `geohash_encode`: adds the geohash, preceded by its inputs as columns `latitude` and `longitude`. */
export function geohashEncode(table: Table, options: Options): Table {
  const [geohash, latitude, longitude] = readColumnNames(options, 'geohash', 'latitude', 'longitude')
  const [latitudes, longitudes] = [latitude, longitude].map((name) => getColumn(table, name))
  const [rows, columns] = [latitudes!, longitudes!].map((column) => toNumbers(column, table.rows, 'geohash_encode'))
  const texts = Array.from(rows!, (value, row) => {
    const other = columns![row]!
    if (Number.isNaN(value) || Number.isNaN(other)) throw new StepRefusal('A longitude or latitude is missing.')
    if (Math.abs(value) > 90)
      throw invalidStep(message('errors.frame.latitude', '{value} is not a valid latitude.', { value }))
    return encodeGeohash(value, other)
  })
  return added(
    table,
    { label: ['latitude'], data: latitudes! },
    { label: ['longitude'], data: longitudes! },
    { label: [geohash], data: buildColumn(texts, geohash) },
  )
}

/** `geodetic_parse`: adds latitude, longitude and altitude (in kilometers) of texts such as `40 26m 46s N 79 58m 56s W, 10m`. */
export function geodeticParse(table: Table, options: Options): Table {
  const [geodetic, latitude, longitude] = readColumnNames(options, 'geodetic', 'latitude', 'longitude')
  const altitude = options.text('altitude') ?? 'altitude'
  const points = readTexts(table, geodetic).map((text) => {
    if (text === null) throw invalidStep(message('errors.frame.noPoint', 'A point is missing.'))
    const point = parsePoint(text)
    if (!point) throw new StepRefusal(`\`${text}\` is not a valid point.`)
    return point
  })
  return added(
    table,
    numbers(
      latitude,
      points.map((point) => point.latitude),
    ),
    numbers(
      longitude,
      points.map((point) => point.longitude),
    ),
    numbers(
      altitude,
      points.map((point) => point.altitude),
    ),
  )
}

function readColumnNames<const Names extends string[]>(
  options: Options,
  ...names: Names
): { [at in keyof Names]: string } {
  return names.map((name) => options.required(name, options.text(name))) as { [at in keyof Names]: string }
}
