import type { Picture } from '@parquetry/model'
import { expect, it, vi } from 'vitest'
import { BackgroundDrawings } from './background-drawings.ts'

/** An input that shows a title. */
const input = (title: string) => ({ picture: { title, at: 0 } as Picture, messages: Buffer.of() })
const prepareAs = (title: string) => vi.fn(() => Promise.resolve(input(title)))
const settled = () => new Promise((resolve) => setImmediate(resolve))

function start() {
  const time = { ms: 0 }
  const draw = vi.fn(({ picture }: { picture: Picture }) => Promise.resolve(Buffer.from(picture.title)))
  return { time, draw, drawings: new BackgroundDrawings({ draw, now: () => time.ms }) }
}

it('an image is drawn once for what it shows, and again when its data changed', async () => {
  const { time, draw, drawings } = start()
  expect(drawings.find('a', prepareAs('one'))).toBeNull()
  expect(drawings.find('b', prepareAs('one'))).toBeNull()
  await settled()
  expect(drawings.find('a', prepareAs('one'))?.bytes.toString()).toBe('one')
  const unused = prepareAs('two')
  expect(drawings.find('b', unused)?.bytes.toString()).toBe('one')
  await settled()
  expect(unused).not.toHaveBeenCalled()
  time.ms = 61_000
  expect(drawings.find('a', prepareAs('two'))?.bytes.toString()).toBe('one')
  await settled()
  expect(drawings.find('a', prepareAs('two'))?.bytes.toString()).toBe('two')
  expect(drawings.find('b', prepareAs('one'))?.bytes.toString()).toBe('one')
  expect(new Set(draw.mock.calls.map(([{ picture }]) => picture.title))).toEqual(new Set(['one', 'two']))
})

it('a few images are drawn at a time, and a limited number waits', async () => {
  const { drawings } = start()
  const gates = Array.from({ length: 300 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  for (const [index, gate] of gates.entries()) {
    drawings.find(`image ${index}`, async () => {
      begun.push(index)
      await gate.promise
      return input(String(index))
    })
  }
  expect(begun).toEqual([0, 1])
  for (const gate of gates) gate.resolve()
  await vi.waitFor(() => expect(begun).toHaveLength(202))
})

it('an image that failed says why, and is tried again later', async () => {
  const { time, drawings } = start()
  const failing = () => Promise.reject(new Error('no'))
  expect(drawings.find('a', failing)).toBeNull()
  await settled()
  expect(() => drawings.find('a', prepareAs('x'))).toThrow()
  time.ms = 61_000
  expect(() => drawings.find('a', prepareAs('x'))).toThrow()
  await settled()
  expect(drawings.find('a', prepareAs('x'))?.bytes.toString()).toBe('x')
})

it('an image is drawn again on request, also while an older one is being drawn', async () => {
  const { drawings } = start()
  drawings.find('a', prepareAs('one'))
  await settled()
  drawings.redraw('a', prepareAs('two'))
  expect(drawings.find('a', prepareAs('one'))).toBeNull()
  await settled()
  expect(drawings.find('a', prepareAs('one'))?.bytes.toString()).toBe('two')

  const older = Promise.withResolvers<void>()
  drawings.find('b', () => older.promise.then(() => input('older')))
  drawings.redraw('b', prepareAs('newer'))
  older.resolve()
  await settled()
  expect(drawings.find('b', prepareAs('older'))?.bytes.toString()).toBe('newer')
})
