import { Duplex, PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Channel } from './channel.ts'

interface Note {
  n: number
  text: string
}

/** Two ends joined in memory, so that a test controls how the bytes are split. */
function ends() {
  const there = new PassThrough()
  const back = new PassThrough()
  return [Duplex.from({ readable: back, writable: there }), Duplex.from({ readable: there, writable: back })] as const
}

const sent = (head: unknown, body: Uint8Array) => {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(text.length, 0)
  lengths.writeUInt32LE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

describe('Channel', () => {
  it('delivers every message once and in order, however the bytes are split', async () => {
    const messages = Array.from({ length: 40 }, (_, n) => ({
      head: { n, text: 'ünï 😀'.repeat(n % 5) },
      body: Buffer.alloc(n % 7 === 0 ? 0 : n * 31, n),
    }))
    const stream = Buffer.concat(messages.map(({ head, body }) => sent(head, body)))
    for (const cut of [1, 2, 7, 8, 9, 64, 1000, stream.length]) {
      const socket = new PassThrough()
      const got: { head: Note; body: Buffer }[] = []
      new Channel<Note, never>(socket, {
        message: (head, body) => got.push({ head, body: Buffer.from(body) }),
        closed: () => {},
      })
      for (let index = 0; index < stream.length; index += cut) socket.write(stream.subarray(index, index + cut))
      await new Promise((resolve) => setImmediate(resolve))
      expect(got).toEqual(messages)
    }
  })

  it('carries bytes unchanged in both directions', async () => {
    const [one, other] = ends()
    const body = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    const answer = await new Promise<Buffer>((resolve) => {
      const server: Channel<Note, Note> = new Channel(one, { message: (_, got) => resolve(got), closed: () => {} })
      const runner: Channel<Note, Note> = new Channel(other, {
        message: (head, got) => void runner.send({ ...head, n: head.n + 1 }, got),
        closed: () => {},
      })
      server.send({ n: 1, text: 'a' }, body)
    })
    expect(answer).toEqual(body)
  })

  it('releases the memory of a packet once it is read, and copies each body into separate memory', () => {
    const socket = new PassThrough()
    const bodies: Buffer[] = []
    new Channel<Note, never>(socket, { message: (_, body) => bodies.push(body), closed: () => {} })
    const whole = sent({ n: 1, text: '' }, Buffer.alloc(100_000, 7))
    // Like the packets of a socket: each has its own memory.
    const packets = [whole.subarray(0, 60_000), whole.subarray(60_000)].map((part) =>
      Buffer.from(new Uint8Array(part).buffer),
    )
    for (const packet of packets) socket.emit('data', packet)
    expect(packets.map(({ length }) => length)).toEqual([0, 0])
    expect(bodies).toEqual([Buffer.alloc(100_000, 7)])
    expect(bodies[0]!.buffer.byteLength).toBe(100_000)
  })

  it('does not release memory that a packet shares', () => {
    const socket = new PassThrough()
    new Channel<Note, never>(socket, { message: () => {}, closed: () => {} })
    const whole = Buffer.concat([sent({ n: 1, text: '' }, Buffer.alloc(10)), Buffer.alloc(100_000, 7)])
    socket.emit('data', whole.subarray(0, -100_000))
    expect(whole.at(-1)).toBe(7)
  })

  it('reports backpressure and settles `drained` when the reader resumes', async () => {
    const socket = new PassThrough({ highWaterMark: 1024 })
    socket.pause()
    const writer = new Channel<never, Note>(socket, { message: () => {}, closed: () => {} })
    socket.pause()
    let hadRoom = true
    for (let n = 0; n < 10 && hadRoom; n++) hadRoom = writer.send({ n, text: '' }, Buffer.alloc(1000))
    expect(hadRoom).toBe(false)
    let isDrained = false
    const drained = writer.drained().then(() => (isDrained = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isDrained).toBe(false)
    socket.resume()
    await drained
    expect(isDrained).toBe(true)
  })

  it('closes once, with a reason, when the stream is out of sync', async () => {
    for (const wrong of [Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]), sent('x', Buffer.alloc(0)).fill('{', 8)]) {
      const socket = new PassThrough()
      const reasons: (Error | null)[] = []
      const channel = new Channel<Note, Note>(socket, { message: () => {}, closed: (error) => reasons.push(error) })
      socket.write(wrong)
      await new Promise((resolve) => setImmediate(resolve))
      expect(reasons).toHaveLength(1)
      expect(reasons[0]?.message).toMatch(/out of sync/)
      expect(channel.isClosed).toBe(true)
      expect(channel.send({ n: 1, text: '' })).toBe(true)
    }
  })
})

it('regression: a message that the other side would refuse is not sent, and the channel lives on', async () => {
  const [one, other] = ends()
  const got = Promise.withResolvers<number>()
  const sender: Channel<Note, Note> = new Channel(one, { message: () => {}, closed: () => {} })
  const receiver: Channel<Note, Note> = new Channel(other, { message: ({ n }) => got.resolve(n), closed: () => {} })
  expect(() => sender.send({ n: 1, text: '' }, Buffer.alloc((64 << 20) + 1))).toThrow('larger than the limit')
  expect(() => sender.send({ n: 2, text: 'x'.repeat(64 << 20) })).toThrow('larger than the limit')
  sender.send({ n: 3, text: '' })
  expect(await got.promise).toBe(3)
  expect(receiver.isClosed).toBe(false)
})
