import { expect, it } from 'vitest'
import { AppError } from '@parquetry/model/errors'
import {
  cellAt,
  decodeMessage,
  encodeMessage,
  buildFrame,
  createMessageReader,
  textAt,
  type Frame,
  type Message,
} from '../index.ts'
import { checkCases, createRandom } from '@parquetry/model/testing/random'
import { randomFrame } from '../testing/random-frame.ts'

/** All that a reader of a frame can see. */
const seen = ({ rows, columns }: Frame) => ({
  rows,
  columns: columns.map((column) => {
    const { name, kind, type, parts } = column
    const { unit, scale, numeric, raw } = column as { unit?: string; scale?: number; numeric?: boolean; raw?: boolean }
    const cells = Array.from({ length: rows }, (_, row) => [cellAt(column, row), textAt(column, row)])
    return { name, kind, type, parts, unit, scale, numeric, raw, cells }
  }),
})
const seenAll = (messages: Message[]) => messages.map(({ head, frame }) => ({ head, frame: frame && seen(frame) }))

/** Replaces the head of a message; the body stays. */
function withHead(message: Uint8Array, change: (head: Record<string, unknown>) => unknown): Uint8Array {
  const view = new DataView(message.buffer)
  const end = 4 + view.getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(message.subarray(4, end))) as Record<string, unknown>
  const replaced = change(head)
  const changed = new TextEncoder().encode(JSON.stringify(replaced === undefined ? head : replaced))
  const body = message.subarray((end + 7) & ~7)
  const start = (4 + changed.length + 7) & ~7
  const out = new Uint8Array(start + body.length)
  new DataView(out.buffer).setUint32(0, changed.length, true)
  out.set(changed, 4)
  out.set(body, start)
  return out
}

it('decodes every frame as it was encoded', () =>
  checkCases(400, (random, seed) => {
    const frame = randomFrame(random)
    const message = encodeMessage({ type: 'frame', chart: seed }, frame)
    expect(message.length % 8).toBe(0)
    const { head, frame: read } = decodeMessage(message)
    expect(head).toEqual({ type: 'frame', chart: seed })
    expect(seen(read!)).toEqual(seen(frame))
  }))

it('reads arrays in place when the message is aligned, and copies once when it is not', () => {
  const message = encodeMessage({ type: 'frame' }, buildFrame({ n: [0.5, 1.5], t: ['a', 'b'] }))
  const buffers = (bytes: Uint8Array) =>
    decodeMessage(bytes).frame!.columns.map((column) => (column as { data?: Float64Array }).data?.buffer)
  expect(buffers(message)[0]).toBe(message.buffer)
  const shifted = new Uint8Array(message.length + 1)
  shifted.set(message, 1)
  expect(buffers(shifted.subarray(1))[0]).not.toBe(shifted.buffer)
})

it('returns the same messages wherever the stream is split', () => {
  const random = createRandom(7)
  const messages = [
    encodeMessage({ type: 'status', text: 'ünï' }),
    encodeMessage({ type: 'frame', chart: 1 }, randomFrame(random, 5)),
    encodeMessage({ type: 'beat' }),
    encodeMessage({ type: 'frame' }, buildFrame({ n: [] })),
    encodeMessage({ type: 'end' }),
  ]
  const stream = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const message of messages) {
    stream.set(message, end)
    end += message.length
  }
  const whole = seenAll(messages.map(decodeMessage))
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = createMessageReader()
    const read = [...reader.push(stream.slice(0, cut)), ...reader.push(stream.slice(cut))]
    expect(seenAll(read), `cut at ${cut}`).toEqual(whole)
    expect(reader.pending).toBe(false)
  }
  const reader = createMessageReader()
  const read = Array.from(stream, (_, index) => reader.push(stream.slice(index, index + 1))).flat()
  expect(seenAll(read)).toEqual(whole)
  const cut = createMessageReader()
  cut.push(stream.slice(0, -3))
  expect(cut.pending).toBe(true)
})

it('rejects heads that do not match their body', () => {
  const good = encodeMessage({ type: 'frame' }, buildFrame({ n: [1, null, 3], t: ['a', 'a', 'b'], u: ['x', 'yy', ''] }))
  type Wire = { rows: unknown; bytes: unknown; columns: Record<string, unknown>[] }
  const lies: [string, (frame: Wire) => unknown][] = [
    ['more rows', (frame) => (frame.rows = 4_000_000)],
    ['rows of text', (frame) => (frame.rows = '3')],
    ['negative rows', (frame) => (frame.rows = -1)],
    ['no columns', (frame) => (frame.columns = [])],
    ['columns no list', (frame) => Object.assign(frame, { columns: {} })],
    ['a column that is null', (frame) => Object.assign(frame.columns, [null])],
    ['shorter body', (frame) => (frame.bytes = (frame.bytes as number) - 8)],
    ['longer body', (frame) => (frame.bytes = (frame.bytes as number) + 8)],
    ['body of huge length', (frame) => (frame.bytes = 2 ** 52)],
    ['place outside', (frame) => (frame.columns[0]!.data = ['i8', 4096])],
    ['place that is odd', (frame) => (frame.columns[0]!.data = ['i8', 3])],
    ['negative place', (frame) => (frame.columns[0]!.data = ['i8', -8])],
    ['array of another kind', (frame) => (frame.columns[0]!.data = ['i64', 0])],
    ['array named __proto__', (frame) => (frame.columns[0]!.data = ['__proto__', 0])],
    ['kind named constructor', (frame) => (frame.columns[0]!.kind = 'constructor')],
    ['kind without its unit', (frame) => (frame.columns[0]!.kind = 'time')],
    ['decimal scale', (frame) => Object.assign(frame.columns[0]!, { kind: 'decimal', scale: 99, data: ['i64', 0] })],
    ['bitmap outside', (frame) => (frame.columns[0]!.nulls = 1 << 20)],
    ['no values', (frame) => delete frame.columns[0]!.data],
    ['no text', (frame) => delete frame.columns[1]!.text],
    [
      'codes beyond the words',
      (frame) => (frame.columns[1]!.text = { ...(frame.columns[1]!.text as object), count: 1 }),
    ],
    [
      'texts beyond the bytes',
      (frame) => (frame.columns[2]!.text = { ...(frame.columns[2]!.text as object), length: 8 }),
    ],
    [
      'offsets of other bytes',
      (frame) => (frame.columns[2]!.text = { ...(frame.columns[2]!.text as object), offsets: 0 }),
    ],
    ['parts of numbers', (frame) => (frame.columns[2]!.parts = [1])],
  ]
  for (const [name, lie] of lies) {
    const bad = withHead(good, (head) => void lie(head.frame as Wire))
    expect(() => decodeMessage(bad), name).toThrow(AppError)
    expect(
      () => [createMessageReader().push(bad), createMessageReader().push(new Uint8Array(0))],
      `stream: ${name}`,
    ).not.toThrow(TypeError)
  }
  for (const head of [null, [], 'frame', {}, { type: 1 }, { type: 'frame', frame: null }])
    expect(() => decodeMessage(withHead(good, () => head as object)), JSON.stringify(head)).toThrow(AppError)
  expect(() => decodeMessage(good.subarray(0, -8))).toThrow(AppError)
  expect(() => decodeMessage(new Uint8Array(3))).toThrow(AppError)
})

it('rejects a stream of noise immediately, and oversized messages before reading them', () => {
  expect(() => createMessageReader().push(new TextEncoder().encode('<!doctype html><title>504</title>'))).toThrow(
    AppError,
  )
  const random = createRandom(3)
  for (let round = 0; round < 300; round++) {
    const message = encodeMessage({ type: 'frame' }, randomFrame(random))
    message[random.int(message.length)] = random.int(256)
    try {
      createMessageReader().push(message)
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
    }
  }
  const large = encodeMessage({ type: 'frame' }, buildFrame({ n: Array.from({ length: 1000 }, () => 0.5) }))
  expect(() => createMessageReader({ maxBytes: 4096 }).push(large.subarray(0, 400))).toThrow(AppError)
})
