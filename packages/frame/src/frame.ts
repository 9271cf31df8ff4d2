import type { FrameKind } from '@parquetry/model'

/**
 * Columnar table of results: produced by drivers, transformed by post-processing, written by encoders and drawn by the web
 * client. All sides use little-endian typed arrays, so that columns are sent and read without copying.
 */
export interface Frame {
  rows: number
  columns: Column[]
}

/** Bit `i` of byte `i >> 3` is 1 when row `i` has a value; null when no row is null. */
export type Validity = Uint8Array | null

interface ColumnBase {
  name: string
  /** The engine's own type name, upper case; null when unknown or made by post-processing. */
  type: string | null
  validity: Validity
  /**
   * Parts of the label when `flatten` joined several (metric, then series values): the column's entry of `label_map`. Sent in the
   * head of the wire message, so that a chart knows which series a column is. Absent when the name is the only part.
   */
  parts?: string[]
}

export interface NumberColumn extends ColumnBase {
  kind: 'number'
  data: Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
}
/** Integers that may exceed 2^53. */
export interface BigintColumn extends ColumnBase {
  kind: 'bigint'
  data: BigInt64Array
}
/** Scaled integers: value = data / 10^scale. At most 18 digits; longer decimals are `string` columns with `numeric: true`. */
export interface DecimalColumn extends ColumnBase {
  kind: 'decimal'
  data: BigInt64Array
  scale: number
}
/** Milliseconds since 1970 UTC, with a fraction for microseconds. */
export interface TimeColumn extends ColumnBase {
  kind: 'time'
  data: Float64Array
  /** Nanoseconds beyond the microseconds of each time, 0 to 999; absent when all are 0. */
  nanos?: Uint16Array
  /** `date` has no time of day; `zoned` had a time zone and was converted to UTC. */
  unit: 'date' | 'datetime' | 'zoned'
}
export interface BooleanColumn extends ColumnBase {
  kind: 'boolean'
  /** 0 or 1. */
  data: Uint8Array
}
/** UTF-8 text, times of day, intervals, binary as base64; `json` holds JSON text of lists and structs. */
export interface TextColumn extends ColumnBase {
  kind: 'string' | 'json'
  text: Text
  /** The text is a number too long for the other kinds; the encoding decides whether it is quoted. */
  numeric?: boolean
  /**
   * Set for `json` columns made by post-processing: each text is a JSON value that encoders write as is (box outliers, a column
   * of numbers with the word `Total`). The API treats JSON from an engine as text.
   */
  raw?: boolean
}

/** Plain: row `i` is bytes[offsets[i]..offsets[i+1]]. Dictionary: row `i` is word `codes[i]`. */
export type Text = PlainText | { as: 'dictionary'; codes: Uint8Array | Uint16Array | Uint32Array; words: PlainText }
export interface PlainText {
  as: 'plain'
  bytes: Uint8Array
  /** One more offset than there are texts. */
  offsets: Uint32Array
  /** All bytes are ASCII, so that the whole can be decoded once and sliced. */
  ascii: boolean
}

export type Column = NumberColumn | BigintColumn | DecimalColumn | TimeColumn | BooleanColumn | TextColumn

/** One value as JavaScript sees it. Times are milliseconds; decimals are numbers when exact, else text. */
export type Cell = string | number | bigint | boolean | null

export type { FrameKind }
