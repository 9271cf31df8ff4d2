import type { Column, NumberColumn, TimeColumn } from '../frame.ts'

/** Description of a frame in the head of its message. Positions are relative to the start of the body; all are multiples of 8. */
export interface WireFrame {
  rows: number
  /** Length of the body. */
  bytes: number
  columns: WireColumn[]
}

export interface WireColumn {
  name: string
  type: string | null
  kind: Column['kind']
  parts?: string[]
  /** Position of the bitmap; absent when no row is null. */
  nulls?: number
  /** Values, or codes of a dictionary. */
  data?: [array: ArrayName, at: number]
  /** Plain texts, or words of a dictionary. */
  text?: WireText
  scale?: number
  unit?: TimeColumn['unit']
  /** Position of the nanoseconds beyond microseconds; absent when there are none. */
  nanos?: number
  numeric?: true
  raw?: true
}

export interface WireText {
  count: number
  /** Position of `count + 1` u32 values. */
  offsets: number
  bytes: number
  length: number
  ascii: boolean
}

export type WireArray = NumberColumn['data'] | BigInt64Array
type ArrayType = {
  new (buffer: ArrayBufferLike, index: number, length: number): WireArray
  readonly BYTES_PER_ELEMENT: number
}

export const arrayTypes = {
  f64: Float64Array,
  f32: Float32Array,
  i64: BigInt64Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
} satisfies Record<string, ArrayType>
export type ArrayName = keyof typeof arrayTypes

/** Array types allowed for the values of a kind; for texts, for the codes. */
export const arrayNamesByKind: Record<Column['kind'], readonly ArrayName[]> = {
  number: ['f64', 'f32', 'i32', 'u32', 'i16', 'u16', 'i8', 'u8'],
  bigint: ['i64'],
  decimal: ['i64'],
  time: ['f64'],
  boolean: ['u8'],
  string: ['u8', 'u16', 'u32'],
  json: ['u8', 'u16', 'u32'],
}

export const arrayNameOf = (data: WireArray): ArrayName =>
  (Object.keys(arrayTypes) as ArrayName[]).find((name) => data instanceof arrayTypes[name])!

export const padToEight = (length: number): number => (length + 7) & ~7
