import type { Column, Frame, Validity } from '@parquetry/frame'
import { DictionaryEncoder } from './dictionary-encoder.ts'
import { cellTooLarge } from './too-large.ts'

/** A row as a client of JSON responses returns it. */
export type JsonRow = readonly unknown[]

type Numbers = new (
  rows: number,
) => Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** How the values of one engine type become a column; `read` returns null for those that count as null (NaN, infinities). */
export type ValueDecoder =
  | { kind: 'number'; array: Numbers; read(value: unknown): number | null }
  | { kind: 'bigint'; read(value: unknown): bigint | null }
  /** Integers that may exceed 64 bits: a frame with such a value contains numeric text. */
  | { kind: 'wide'; read(value: unknown): bigint }
  | { kind: 'decimal'; scale: number; read(value: unknown): bigint | null }
  | { kind: 'time'; unit: 'date' | 'datetime' | 'zoned'; read(value: unknown): number | null }
  | { kind: 'boolean'; read(value: unknown): boolean | null }
  | { kind: 'string' | 'json'; numeric?: boolean; read(value: unknown): string | null }

/** A column of a result with its name, the engine's own type name and its shape. */
export interface ColumnDecoder {
  name: string
  type: string
  decoder: ValueDecoder
}

/** @returns the bitmap of the rows for which `put` returned true; null when all have a value */
function each(rows: readonly JsonRow[], index: number, writeValue: (value: unknown, row: number) => boolean): Validity {
  let validity: Uint8Array | null = null
  for (let row = 0; row < rows.length; row++) {
    const value = rows[row]![index]
    if (value !== null && value !== undefined && writeValue(value, row)) continue
    validity ??= new Uint8Array(Math.ceil(rows.length / 8)).fill(0xff)
    validity[row >> 3]! &= ~(1 << (row & 7))
  }
  return validity
}

/** Writes the values that are read into an array; nulls leave its initial value. */
const into =
  <T>(data: { [row: number]: T }, read: (value: unknown) => T | null) =>
  (value: unknown, row: number): boolean => {
    const known = read(value)
    if (known !== null) data[row] = known
    return known !== null
  }

/** Builds frames from rows of JSON values; one instance per result, because texts share their dictionary across frames. */
export class JsonFrameBuilder {
  readonly #columns: readonly (ColumnDecoder & { strings: DictionaryEncoder })[]
  readonly #cellBytes: number

  /** @param cellBytes maximum size of a text in bytes */
  constructor(columns: readonly ColumnDecoder[], cellBytes: number) {
    this.#columns = columns.map((column) => ({ ...column, strings: new DictionaryEncoder() }))
    this.#cellBytes = cellBytes
  }

  /** @throws AppError `result_too_large` */
  build(rows: readonly JsonRow[]): Frame {
    return { rows: rows.length, columns: this.#columns.map((_, index) => this.#column(rows, index)) }
  }

  #column(rows: readonly JsonRow[], index: number): Column {
    const { name, type, decoder, strings } = this.#columns[index]!
    const base = { name, type }
    if (decoder.kind === 'number') {
      const data = new decoder.array(rows.length)
      return { ...base, kind: 'number', validity: each(rows, index, into(data, decoder.read)), data }
    }
    if (decoder.kind === 'wide') return this.#wide(rows, index, decoder.read)
    if (decoder.kind === 'bigint' || decoder.kind === 'decimal') {
      const data = new BigInt64Array(rows.length)
      const validity = each(rows, index, into(data, decoder.read))
      return decoder.kind === 'bigint'
        ? { ...base, kind: 'bigint', validity, data }
        : { ...base, kind: 'decimal', scale: decoder.scale, validity, data }
    }
    if (decoder.kind === 'time') {
      const data = new Float64Array(rows.length)
      return { ...base, kind: 'time', unit: decoder.unit, validity: each(rows, index, into(data, decoder.read)), data }
    }
    if (decoder.kind === 'boolean') {
      const data = new Uint8Array(rows.length)
      const writeBoolean = into<number>(data, (value) => {
        const flag = decoder.read(value)
        return flag === null ? null : Number(flag)
      })
      return { ...base, kind: 'boolean', validity: each(rows, index, writeBoolean), data }
    }
    const values: (string | null)[] = rows.map(() => null)
    const longest = Math.floor(this.#cellBytes / 3)
    const writeText = into<string | null>(values, decoder.read)
    const validity = each(rows, index, (value, row) => {
      const hasValue = writeText(value, row)
      const text = values[row] ?? ''
      if (text.length > longest && Buffer.byteLength(text) > this.#cellBytes) throw cellTooLarge(name, this.#cellBytes)
      return hasValue
    })
    return {
      ...base,
      kind: decoder.kind,
      validity,
      text: strings.encode(values),
      ...(decoder.numeric && { numeric: true }),
    }
  }

  #wide(rows: readonly JsonRow[], index: number, read: (value: unknown) => bigint): Column {
    const { name, type, strings } = this.#columns[index]!
    const values: (bigint | null)[] = rows.map(() => null)
    const validity = each(rows, index, into(values, read))
    const isWide = values.some((value) => value !== null && BigInt.asIntN(64, value) !== value)
    if (!isWide)
      return { name, type, kind: 'bigint', validity, data: BigInt64Array.from(values, (value) => value ?? 0n) }
    const text = strings.encode(values.map((value) => (value === null ? null : String(value))))
    return { name, type, kind: 'string', validity, text, numeric: true }
  }
}
