import type { FrameKind } from '@parquetry/model'

/**
 * A table of results by columns: what drivers make, post-processing shapes, encoders write and the web client draws.
 * Little-endian typed arrays on every side, so that a column is sent and read without a copy.
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
   * The label's parts when `flatten` joined it from several (metric, then series values): the column's entry of `label_map`.
   * Travels in the head of the wire, so that a chart knows which series a column is. Absent when the name is its own one part.
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
  /** `date` has no time of day; `zoned` came with a zone and was turned into UTC. */
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
  /** The text is a number too long for the other kinds: written bare or quoted, as the encoding says. */
  numeric?: boolean
  /**
   * Of `json`: post-processing made it, so each text is a JSON value that encoders write as it stands (outliers of a box,
   * a column of numbers with the word `Total`). JSON that an engine gave is text to the API.
   */
  raw?: boolean
}

/** Plain: row `i` is bytes[offsets[i]..offsets[i+1]]. Dictionary: row `i` is word `codes[i]`. */
export type Text = PlainText | { as: 'dictionary'; codes: Uint8Array | Uint16Array | Uint32Array; words: PlainText }
export interface PlainText {
  as: 'plain'
  bytes: Uint8Array
  /** One more than there are texts. */
  offsets: Uint32Array
  /** Every byte is ASCII: the whole can be decoded once and sliced. */
  ascii: boolean
}

export type Column = NumberColumn | BigintColumn | DecimalColumn | TimeColumn | BooleanColumn | TextColumn

/** One value as JavaScript sees it. Times are milliseconds; decimals are numbers when exact, else text. */
export type Cell = string | number | bigint | boolean | null

export type { FrameKind }
