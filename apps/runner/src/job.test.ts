import { Duplex } from 'node:stream'
import { Channel } from '@parquetry/engines/channel'
import type { FromRunner, RunHeader, ToRunner } from '@parquetry/model'
import { expect, it } from 'vitest'
import { Job } from './job.ts'

const header: RunHeader = {
  columns: [],
  rowcount: 3,
  sql_rowcount: 3,
  truncated: false,
  labelMap: null,
  indexNames: null,
  stepError: null,
  engineMs: 0,
  totalMs: 0,
}
const totals = { rowcount: 3, truncated: false }

/** Sends a response and reads it at the other end. */
async function sendAndRead(pieces: readonly Uint8Array[]) {
  let writes = 0
  const reader = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const push = (parts: { chunk: Buffer }[], done: () => void) => {
    writes += 1
    for (const { chunk } of parts) reader.push(Buffer.from(chunk))
    done()
  }
  const socket = new Duplex({
    read() {},
    write: (chunk: Buffer, _encoding, done) => push([{ chunk }], done),
    writev: push,
  })
  const received: FromRunner[] = []
  const bodies: Buffer[] = []
  const job = new Job(7, new Channel<ToRunner, FromRunner>(socket, { message() {}, closed() {} }))
  const ended = new Promise<void>((resolve) => {
    new Channel<FromRunner, ToRunner>(reader, {
      message(head, body) {
        received.push(head)
        if (head.type === 'bytes') {
          bodies.push(Buffer.from(body))
          job.acknowledge(body.length)
        }
        if (head.type === 'end') resolve()
      },
      closed() {},
    })
  })
  await job.sendResponse(header, pieces, totals)
  await ended
  return { writes, received, bodies }
}

const bytes = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255)

it('sends a short response in one write, since each write wakes the server', async () => {
  const { writes, received, bodies } = await sendAndRead([bytes(4000, 1), bytes(16_000, 2)])
  expect(received).toEqual([
    { type: 'header', job: 7, header },
    { type: 'bytes', job: 7 },
    { type: 'end', job: 7, totals },
  ])
  expect(Buffer.concat(bodies).equals(Buffer.concat([bytes(4000, 1), bytes(16_000, 2)]))).toBe(true)
  expect(writes).toBe(1)
})

it('sends a long response in bodies of at most 1 MB, with all bytes in order', async () => {
  const pieces = [bytes(1000, 1), bytes(700_000, 2), bytes(400_000, 3), bytes(2_500_000, 4), bytes(5_000_000, 5)]
  const { received, bodies } = await sendAndRead(pieces)
  expect(bodies.every(({ length }) => length > 0 && length <= 1 << 20)).toBe(true)
  expect(Buffer.concat(bodies).equals(Buffer.concat(pieces))).toBe(true)
  expect([received[0]?.type, received.at(-1)?.type]).toEqual(['header', 'end'])
})

it('sends a response without bytes', async () => {
  const { received } = await sendAndRead([])
  expect(received.map(({ type }) => type)).toEqual(['header', 'end'])
})
