import type { Random } from '@parquetry/model/testing/random'
import type { Column, Frame, PlainText } from '../frame.ts'
import { buildColumn, buildValidity } from '../columns.ts'
import { packTexts } from '../utf8.ts'

const texts = [
  '',
  'a',
  'plain',
  '"quoted"',
  'back\\slash',
  'new\nline',
  'tab\t\u0001',
  'ünï',
  '日本',
  '🙂',
  ', ',
  '=1+1',
  '  -x|y',
]
const arrays = [Float64Array, Float32Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Int8Array, Uint8Array]

/** Frame with columns of random kinds, with and without nulls, in views that do not begin at the start of their buffer. */
export function randomFrame(random: Random, rows = random.int(40)): Frame {
  const names = [
    ...new Set(Array.from({ length: 1 + random.int(12) }, () => random.pick(texts) + String(random.int(9)))),
  ]
  return { rows, columns: names.map((name) => randomColumn(random, rows, name)) }
}

function randomColumn(random: Random, rows: number, name: string): Column {
  const validity = random() < 0.5 ? null : buildValidity(rows, () => random() < 0.7)
  const base = {
    name,
    type: random() < 0.5 ? null : 'VARCHAR',
    validity,
    ...(random() < 0.2 && { parts: [name, 'x'] }),
  }
  const big = (): bigint =>
    BigInt.asIntN(64, BigInt(random.int(2 ** 32)) * BigInt(random.int(2 ** 32)) - 2n ** BigInt(random.int(62)))
  switch (random.int(7)) {
    case 0: {
      const data = new (random.pick(arrays))(rows + 3).subarray(2, rows + 2)
      for (let row = 0; row < rows; row++)
        data[row] = random.pick([random() * 1e6, random.int(300), -random.int(99), 0.1, 1e21, NaN, Infinity])
      return { ...base, kind: 'number', data }
    }
    case 1:
      return { ...base, kind: 'bigint', data: BigInt64Array.from({ length: rows }, big) }
    case 2:
      return {
        ...base,
        kind: 'decimal',
        scale: random.int(19),
        data: BigInt64Array.from({ length: rows }, () => big() % 10n ** BigInt(1 + random.int(18))),
      }
    case 3: {
      const unit = random.pick(['date', 'datetime', 'zoned'] as const)
      const data = Float64Array.from({ length: rows }, () => (random() - 0.3) * 4e12 + random.pick([0, 0.001, 0.5]))
      return { ...base, kind: 'time', unit, data }
    }
    case 4:
      return { ...base, kind: 'boolean', data: Uint8Array.from({ length: rows }, () => random.int(2)) }
    case 5: {
      const words = packTexts(texts.slice(0, 1 + random.int(texts.length - 1)))
      const codes = new (random.pick([Uint8Array, Uint16Array, Uint32Array]))(rows)
      for (let row = 0; row < rows; row++) codes[row] = random.int(words.offsets.length - 1)
      return { ...base, kind: 'string', text: { as: 'dictionary', codes, words } }
    }
    default: {
      const mixed = Array.from({ length: rows }, () => random.pick([1, 'x', [1, 'y'], null]))
      if (random() < 0.3) return buildColumn(mixed, name)
      const values = Array.from({ length: rows }, () => random.pick(texts))
      return { ...base, kind: 'string', text: shifted(packTexts(values)) }
    }
  }
}

/** Moves the texts to the middle of a larger buffer, as in an engine's memory. */
function shifted(text: PlainText): PlainText {
  const bytes = new Uint8Array(text.bytes.length + 5)
  bytes.set(text.bytes, 3)
  return { ...text, bytes, offsets: text.offsets.map((offset) => offset + 3) }
}
