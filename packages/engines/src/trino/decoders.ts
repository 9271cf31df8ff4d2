import { formatInterval } from '../shared/format-time.ts'
import type { ColumnDecoder, ValueDecoder } from '../shared/json-frame-builder.ts'
import { parseUtcTime, parseScaledInteger, formatTimeOfDay } from '../shared/parse-time.ts'
import { parseZonedTime } from './zones.ts'

/** A type as the protocol describes it: `{ rawType: 'row', arguments: [...] }`. */
export interface TypeSignature {
  rawType: string
  arguments: readonly {
    kind: string
    value: number | TypeSignature | { fieldName?: { name: string }; typeSignature: TypeSignature }
  }[]
}

export interface TrinoColumn {
  name: string
  type: string
  typeSignature: TypeSignature
}

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value))
/** NaN and infinities arrive as the strings `NaN`, `Infinity` and `-Infinity`. */
const toNumber = (value: unknown): number => Number(value)

const dayTime = /^(-?)(\d+) (\d+):(\d\d):(\d\d)\.(\d{3})$/

/** `1 02:00:00.000`: the sign applies to the whole value. */
function dayToSecond(value: string): string {
  const [, sign, days, hours, minutes, seconds, millis] = dayTime.exec(value) ?? []
  if (days === undefined) return value
  const micros =
    (BigInt(hours!) * 3600n + BigInt(minutes!) * 60n + BigInt(seconds!)) * 1_000_000n + BigInt(millis!) * 1000n
  return sign ? formatInterval(0, -Number(days), -micros) : formatInterval(0, Number(days), micros)
}

/** `1-2` is one year and two months. */
function yearToMonth(value: string): string {
  const [, sign, years, months] = /^(-?)(\d+)-(\d+)$/.exec(value) ?? []
  if (years === undefined) return value
  const all = Number(years) * 12 + Number(months)
  return formatInterval(sign ? -all : all, 0, 0n)
}

const plainDecoders: Record<string, ValueDecoder> = {
  boolean: { kind: 'boolean', read: (value) => value === true },
  tinyint: { kind: 'number', array: Int8Array, read: toNumber },
  smallint: { kind: 'number', array: Int16Array, read: toNumber },
  integer: { kind: 'number', array: Int32Array, read: toNumber },
  bigint: { kind: 'bigint', read: (value) => BigInt(value as number | bigint) },
  real: { kind: 'number', array: Float64Array, read: toNumber },
  double: { kind: 'number', array: Float64Array, read: toNumber },
  date: { kind: 'time', unit: 'date', read: (value) => parseUtcTime(text(value)) },
  timestamp: { kind: 'time', unit: 'datetime', read: (value) => parseUtcTime(text(value)) },
  'timestamp with time zone': { kind: 'time', unit: 'zoned', read: (value) => parseZonedTime(text(value)) },
  time: { kind: 'string', read: (value) => formatTimeOfDay(text(value)) },
  'time with time zone': { kind: 'string', read: (value) => formatTimeOfDay(text(value)) },
  'interval day to second': { kind: 'string', read: (value) => dayToSecond(text(value)) },
  'interval year to month': { kind: 'string', read: (value) => yearToMonth(text(value)) },
  json: { kind: 'json', read: text },
}
const textDecoder: ValueDecoder = {
  kind: 'string',
  read: (value) => (typeof value === 'string' ? value : toJsonText(value)),
}

/** Writes a value of an unlisted type (sketches, types of a plugin) as JSON. */
const toJsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

export function createTrinoDecoder({ name, type, typeSignature }: TrinoColumn): ColumnDecoder {
  return { name, type: type.toUpperCase(), decoder: resolveDecoder(typeSignature) }
}

function resolveDecoder(signature: TypeSignature): ValueDecoder {
  const { rawType } = signature
  const known = Object.hasOwn(plainDecoders, rawType) ? plainDecoders[rawType] : undefined
  if (known) return known
  if (rawType === 'decimal') return createDecimalDecoder(signature)
  if (rawType === 'array' || rawType === 'map' || rawType === 'row') {
    const write = createWriter(signature)
    return { kind: 'json', read: write }
  }
  return textDecoder
}

function createDecimalDecoder({ arguments: [precision, scale] }: TypeSignature): ValueDecoder {
  const digits = Number(precision?.value)
  const decimals = Number(scale?.value)
  return digits <= 18
    ? { kind: 'decimal', scale: decimals, read: (value) => parseScaledInteger(text(value), decimals) }
    : { kind: 'string', numeric: true, read: text }
}

type Write = (value: unknown) => string

const quoted = (value: unknown) => JSON.stringify(text(value))
const orNull =
  (write: Write): Write =>
  (value) =>
    value === null || value === undefined ? 'null' : write(value)
const bare: Write = (value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : quoted(value))

/** Writes a value inside a list, map or row as JSON: numbers unquoted, NaN and infinities as strings. */
function createWriter(signature: TypeSignature): Write {
  const { rawType, arguments: parts } = signature
  const inner = parts.map(({ value }) => value)
  if (rawType === 'array') {
    const element = orNull(createWriter(inner[0] as TypeSignature))
    return (value) => `[${(value as unknown[]).map(element).join(', ')}]`
  }
  if (rawType === 'map') {
    const element = orNull(createWriter(inner[1] as TypeSignature))
    return (value) =>
      `{${Object.entries(value as Record<string, unknown>)
        .map(([key, one]) => `${JSON.stringify(key)}: ${element(one)}`)
        .join(', ')}}`
  }
  if (rawType === 'row')
    return createRowWriter(inner as { fieldName?: { name: string }; typeSignature: TypeSignature }[])
  if (rawType === 'boolean') return String
  if (rawType === 'json' || rawType === 'decimal') return text
  const shape = resolveDecoder(signature)
  return shape.kind === 'string' ? (value) => quoted(shape.read(value)) : bare
}

/** A row with named fields becomes an object, others a list. */
function createRowWriter(fields: readonly { fieldName?: { name: string }; typeSignature: TypeSignature }[]): Write {
  const writers = fields.map(({ fieldName, typeSignature }) => ({
    name: fieldName?.name,
    write: orNull(createWriter(typeSignature)),
  }))
  const isNamed = writers.every(({ name }) => name !== undefined)
  return (value) => {
    const cells = writers.map(({ name, write }, index) => {
      const cell = write((value as unknown[])[index])
      return isNamed ? `${JSON.stringify(name)}: ${cell}` : cell
    })
    return isNamed ? `{${cells.join(', ')}}` : `[${cells.join(', ')}]`
  }
}
