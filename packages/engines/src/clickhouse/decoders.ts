import { formatInterval } from '../shared/format-time.ts'
import type { ColumnDecoder, ValueDecoder } from '../shared/json-frame-builder.ts'
import { parseUtcTime, parseScaledInteger, formatTimeOfDay } from '../shared/parse-time.ts'
import { parseType, formatClickhouseType, type ParsedType } from './types.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value))

/** NaN and infinities arrive as the strings `nan`, `inf` and `-inf`. */
const float = (value: unknown): number =>
  typeof value === 'number' ? value : Number(text(value).replace('inf', 'Infinity').replace('nan', 'NaN'))

/** Times arrive as ISO 8601 in UTC. */
const time = (value: unknown): number | null => parseUtcTime(text(value).replace(/Z$/, ''))

const number = (array: Extract<ValueDecoder, { kind: 'number' }>['array']): ValueDecoder => ({
  kind: 'number',
  array,
  read: float,
})
const textDecoder: ValueDecoder = { kind: 'string', read: text }
const wideDecoder: ValueDecoder = { kind: 'wide', read: (value) => BigInt(value as string) }
const times = (unit: 'date' | 'datetime' | 'zoned'): ValueDecoder => ({ kind: 'time', unit, read: time })
const timeOfDayDecoder: ValueDecoder = { kind: 'string', read: (value) => formatTimeOfDay(text(value)) }

const plainDecoders: Record<string, ValueDecoder> = {
  Bool: { kind: 'boolean', read: (value) => value === true },
  Int8: number(Int8Array),
  UInt8: number(Uint8Array),
  Int16: number(Int16Array),
  UInt16: number(Uint16Array),
  Int32: number(Int32Array),
  UInt32: number(Uint32Array),
  Int64: { kind: 'bigint', read: (value) => BigInt(value as string) },
  UInt64: wideDecoder,
  Int128: wideDecoder,
  UInt128: wideDecoder,
  Int256: wideDecoder,
  UInt256: wideDecoder,
  Float32: number(Float64Array),
  Float64: number(Float64Array),
  BFloat16: number(Float64Array),
  Date: times('date'),
  Date32: times('date'),
  Time: timeOfDayDecoder,
  Time64: timeOfDayDecoder,
}

const nested = new Set([
  'Array',
  'Map',
  'Tuple',
  'Nested',
  'JSON',
  'Object',
  'Variant',
  'Dynamic',
  'Point',
  'Ring',
  'Polygon',
  'MultiPolygon',
  'LineString',
  'MultiLineString',
  'Geometry',
])

export function createClickhouseDecoder(name: string, type: string): ColumnDecoder {
  return { name, type: formatClickhouseType(type), decoder: resolveDecoder(parseType(type)) }
}

function resolveDecoder(type: ParsedType): ValueDecoder {
  const { name, args } = type
  const known = Object.hasOwn(plainDecoders, name) ? plainDecoders[name] : undefined
  if (known) return known
  if (name.startsWith('Decimal')) return createDecimalDecoder(type)
  // Only a time zone in the column type makes its times instants; others are as the session reads them.
  if (name === 'DateTime') return times(args.length > 0 ? 'zoned' : 'datetime')
  if (name === 'DateTime64') return times(args.length > 1 ? 'zoned' : 'datetime')
  if (nested.has(name)) return { kind: 'json', read: createWriter(type) }
  if (name.startsWith('Interval')) return { kind: 'string', read: (value) => interval(name, BigInt(value as string)) }
  return textDecoder
}

function createDecimalDecoder({ args: [precision, scale] }: ParsedType): ValueDecoder {
  const digits = Number(precision)
  const decimals = Number(scale)
  return digits <= 18
    ? { kind: 'decimal', scale: decimals, read: (value) => parseScaledInteger(text(value), decimals) }
    : { kind: 'string', numeric: true, read: text }
}

const months: Record<string, number> = { Month: 1, Quarter: 3, Year: 12 }
const days: Record<string, number> = { Day: 1, Week: 7 }
const micros: Record<string, bigint> = {
  Hour: 3_600_000_000n,
  Minute: 60_000_000n,
  Second: 1_000_000n,
  Millisecond: 1000n,
  Microsecond: 1n,
}

function interval(name: string, count: bigint): string {
  const unit = name.slice('Interval'.length)
  const size = Number(count)
  return formatInterval((months[unit] ?? 0) * size, (days[unit] ?? 0) * size, (micros[unit] ?? 0n) * count)
}

type Write = (value: unknown) => string
const quoted = (value: unknown) => JSON.stringify(text(value))

/** Writes a value inside a list, map or tuple as JSON: numbers of any size unquoted, NaN and infinities as strings. */
function createNullableWriter(type: string): Write {
  const parsed = parseType(type)
  const write = createWriter(parsed)
  return (value) => (value === null || value === undefined ? 'null' : write(value))
}

function createWriter(type: ParsedType): Write {
  const { name, args } = type
  if (name === 'Array') {
    const element = createNullableWriter(args[0] ?? '')
    return (value) => `[${(value as unknown[]).map(element).join(', ')}]`
  }
  if (name === 'Map') {
    const element = createNullableWriter(args[1] ?? '')
    return (value) => object(Object.entries(value as object).map(([key, one]) => [key, element(one)]))
  }
  if (name === 'Tuple') return createTupleWriter(args)
  if (name === 'Nested') {
    const row = createTupleWriter(args)
    return (value) => `[${(value as unknown[]).map(row).join(', ')}]`
  }
  if (nested.has(name)) return (value) => JSON.stringify(value)
  const shape = resolveDecoder(type)
  if (shape.kind === 'boolean') return String
  if (shape.kind === 'bigint' || shape.kind === 'wide' || shape.kind === 'decimal') return text
  if (shape.kind === 'number') return (value) => (typeof value === 'number' ? String(value) : quoted(value))
  return shape.kind === 'string' ? (value) => (shape.numeric ? text(value) : quoted(shape.read(value))) : quoted
}

const object = (cells: readonly (readonly [string, string])[]) =>
  `{${cells.map(([key, cell]) => `${JSON.stringify(key)}: ${cell}`).join(', ')}}`

/** A tuple with named elements becomes an object, others a list; `args` are `name Type` or `Type`. */
function createTupleWriter(args: readonly string[]): Write {
  const fields = args.map((arg) => {
    const [, ticked, bare, type] = /^(?:`((?:[^`\\]|\\[^])*)`|(\w+)) ([^]+)$/.exec(arg) ?? []
    const name = ticked?.replace(/\\([^])/g, '$1') ?? bare
    return type === undefined
      ? { name: undefined, write: createNullableWriter(arg) }
      : { name, write: createNullableWriter(type) }
  })
  return (value) =>
    Array.isArray(value)
      ? `[${fields.map(({ write }, index) => write(value[index])).join(', ')}]`
      : object(fields.map(({ name = '', write }) => [name, write((value as Record<string, unknown>)[name])]))
}
