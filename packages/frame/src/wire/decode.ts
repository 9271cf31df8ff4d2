import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Column, Frame, PlainText, Text } from '../frame.ts'
import { decodeUtf8Strict } from '../utf8.ts'
import {
  arrayTypes,
  arrayNamesByKind,
  padToEight,
  type ArrayName,
  type WireArray,
  type WireColumn,
  type WireFrame,
  type WireText,
} from './format.ts'

export interface Message<Head = MessageHead> {
  head: Head
  /** Views of the message's bytes; null for a message without a frame. */
  frame: Frame | null
}
/** `type` is `frame`, `status`, `progress`, `error`, `end`, or a type that a stream adds. */
export interface MessageHead {
  type: string
  [field: string]: unknown
}

/** Longer heads are rejected before they are read. */
export const maxHeadBytes = 16 << 20

export const invalidMessage = (what: string): AppError =>
  new AppError('invalid_payload', {
    message: message('errors.frame.damaged', 'The data was damaged in transit. Load it again.'),
    details: { what },
  })

/** Head of a message whose first four bytes give its length, `bytes.length - 4`. */
export function parseHead(bytes: Uint8Array): { head: MessageHead; wire: WireFrame | null; length: number } {
  let head: unknown
  try {
    head = JSON.parse(decodeUtf8Strict(bytes.subarray(4)))
  } catch {
    throw invalidMessage('head is not JSON')
  }
  if (!isObject(head) || typeof head.type !== 'string') throw invalidMessage('head has no type')
  const { frame, ...own } = head
  if (frame !== undefined && !isWireFrame(frame)) throw invalidMessage('frame')
  const wire = frame ?? null
  return { head: own as MessageHead, wire, length: padToEight(bytes.length) + (wire?.bytes ?? 0) }
}

/** Length of the head of the message that begins at the first byte. @throws AppError when it is too long */
export function headLength(bytes: Uint8Array): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true)
  if (length > maxHeadBytes) throw invalidMessage('head is too long')
  return length
}

/**
 * Decodes one complete message. The frame's arrays are views of `bytes` (copied once if they are not aligned to 8 bytes in their
 * buffer), so the bytes must not change afterwards.
 * @throws AppError `invalid_payload` for anything that `encodeMessage` does not write
 */
export function decodeMessage(bytes: Uint8Array): Message {
  if (bytes.length < 8) throw invalidMessage('message is too short')
  const end = 4 + headLength(bytes)
  if (end > bytes.length) throw invalidMessage('message is cut')
  const { head, wire, length } = parseHead(bytes.subarray(0, end))
  if (length !== bytes.length) throw invalidMessage('length')
  return { head, frame: wire && decodeFrame(wire, bytes.subarray(padToEight(end))) }
}

/** Reads the frame from its body. @throws AppError */
export function decodeFrame(wire: WireFrame, unaligned: Uint8Array): Frame {
  const body = unaligned.byteOffset % 8 === 0 ? unaligned : unaligned.slice()
  if (body.length !== wire.bytes) throw invalidMessage('body')
  return { rows: wire.rows, columns: wire.columns.map((column) => readColumn(column, wire.rows, body)) }
}

function readColumn(wire: unknown, rows: number, body: Uint8Array): Column {
  if (!isWireColumn(wire)) throw invalidMessage('column')
  const { name, type, kind, parts } = wire
  const validity = wire.nulls === undefined ? null : readArray('u8', wire.nulls, (rows + 7) >> 3, body)
  const base = { name, type, validity, ...(parts && { parts }) }
  const array = wire.data?.[0]
  if (array !== undefined && !arrayNamesByKind[kind].includes(array)) throw invalidMessage('array')
  const values = wire.data ? readArray(wire.data[0], wire.data[1], rows, body) : undefined
  if (kind === 'string' || kind === 'json') {
    const text = readText(wire.text, values as Uint8Array | undefined, rows, body)
    return { ...base, kind, text, ...(wire.numeric && { numeric: true }), ...(wire.raw && { raw: true }) }
  }
  if (!values) throw invalidMessage('values')
  const rest = { ...(kind === 'decimal' && { scale: wire.scale }), ...(kind === 'time' && { unit: wire.unit }) }
  const nanos = wire.nanos === undefined ? {} : { nanos: readArray('u16', wire.nanos, rows, body) }
  return { ...base, kind, data: values, ...rest, ...nanos } as Column
}

function readText(wire: unknown, codes: Uint8Array | undefined, rows: number, body: Uint8Array): Text {
  if (!isWireText(wire) || (!codes && wire.count !== rows)) throw invalidMessage('text')
  const offsets = readArray('u32', wire.offsets, wire.count + 1, body)
  const bytes = readArray('u8', wire.bytes, wire.length, body)
  if (offsets[0] !== 0 || offsets[wire.count] !== wire.length) throw invalidMessage('offsets')
  for (let index = 0; index < wire.count; index++)
    if (offsets[index]! > offsets[index + 1]!) throw invalidMessage('offsets')
  const text: PlainText = { as: 'plain', bytes, offsets, ascii: wire.ascii }
  if (!codes) return text
  // Null rows may have any code, but every code must be within the words.
  if (wire.count > 0) for (const code of codes) if (code >= wire.count) throw invalidMessage('codes')
  return { as: 'dictionary', codes, words: text }
}

function readArray<Name extends ArrayName>(
  name: Name,
  index: number,
  length: number,
  body: Uint8Array,
): InstanceType<(typeof arrayTypes)[Name]> {
  const ArrayType = arrayTypes[name]
  if (!isByteOffset(index) || index % 8 !== 0 || index + length * ArrayType.BYTES_PER_ELEMENT > body.length)
    throw invalidMessage('place')
  const view: WireArray = new ArrayType(body.buffer as ArrayBuffer, body.byteOffset + index, length)
  return view as InstanceType<(typeof arrayTypes)[Name]>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isByteOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isMaybe = (value: unknown, test: (value: unknown) => boolean): boolean => value === undefined || test(value)

const isWireFrame = (value: unknown): value is WireFrame =>
  isObject(value) &&
  isByteOffset(value.rows) &&
  isByteOffset(value.bytes) &&
  value.bytes % 8 === 0 &&
  Array.isArray(value.columns) &&
  (value.columns.length > 0 || value.rows === 0)

const isWireColumn = (value: unknown): value is WireColumn =>
  isObject(value) &&
  typeof value.name === 'string' &&
  (value.type === null || typeof value.type === 'string') &&
  typeof value.kind === 'string' &&
  Object.hasOwn(arrayNamesByKind, value.kind) &&
  isMaybe(value.parts, (parts) => Array.isArray(parts) && parts.every((part) => typeof part === 'string')) &&
  isMaybe(value.nulls, isByteOffset) &&
  isMaybe(
    value.data,
    (data) => Array.isArray(data) && Object.hasOwn(arrayTypes, String(data[0])) && isByteOffset(data[1]),
  ) &&
  isMaybe(value.numeric, (numeric) => numeric === true) &&
  isMaybe(value.raw, (raw) => raw === true) &&
  isMaybe(value.nanos, (at) => value.kind === 'time' && isByteOffset(at)) &&
  (value.kind === 'decimal' ? isByteOffset(value.scale) && value.scale <= 18 : value.scale === undefined) &&
  (value.kind === 'time' ? ['date', 'datetime', 'zoned'].includes(String(value.unit)) : value.unit === undefined)

const isWireText = (value: unknown): value is WireText =>
  isObject(value) &&
  isByteOffset(value.count) &&
  isByteOffset(value.offsets) &&
  isByteOffset(value.bytes) &&
  isByteOffset(value.length) &&
  typeof value.ascii === 'boolean'
