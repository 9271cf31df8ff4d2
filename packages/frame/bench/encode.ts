/**
 * Measures the encoding of a result: `node packages/frame/bench/encode.ts`. 50,000 rows of 10 columns (3 doubles, 2 integers, 1
 * bigint, 2 dictionaries, 1 text, 1 time), in frames of 2,048 rows. Minimum of 15 runs.
 */
import type { Frame } from '../src/frame.ts'
import { buildTimeColumn } from '../src/columns.ts'
import { buildColumn, encodeMessage, slice } from '../src/index.ts'
import { createEncoder } from '../src/encode/index.ts'
import { createRandom } from '@parquetry/model/testing/random'

const rows = 50_000
const random = createRandom(1)
const list = <T>(make: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => make(row))
const airports = list((row) => `A${String(row % 300).padStart(3, '0')}`).slice(0, 300)
const whole: Frame = {
  rows,
  columns: [
    buildColumn(
      list(() => Math.round(random() * 10_000) / 100),
      'delay',
    ),
    buildColumn(
      list(() => Math.round(random() * 5_000_000) / 1000),
      'distance',
    ),
    buildColumn(
      list(() => random()),
      'share',
    ),
    buildColumn(
      list((row) => row),
      'id',
    ),
    buildColumn(
      list(() => random.int(3000)),
      'minutes',
    ),
    buildColumn(
      list((row) => 5_000_000_000n + BigInt(row)),
      'number',
    ),
    buildColumn(
      list(() => random.pick(airports)),
      'origin',
    ),
    buildColumn(
      list(() => random.pick(airports)),
      'destination',
    ),
    buildColumn(
      list((row) => `passenger number ${row} of flight ${random.int(1e6)}`),
      'note',
    ),
    buildTimeColumn('date', Float64Array.from(list((row) => 978_307_200_000 + row * 60_000)), 'datetime'),
  ],
}
const frames = Array.from({ length: Math.ceil(rows / 2048) }, (_, index) =>
  slice(whole, index * 2048, (index + 1) * 2048),
)

function measureFastest(run: () => number): string {
  let best = Infinity
  let bytes = 0
  for (let round = 0; round < 15; round++) {
    const start = performance.now()
    bytes = run()
    best = Math.min(best, performance.now() - start)
  }
  return `${best.toFixed(1).padStart(7)} ms ${(bytes / 1e6).toFixed(2).padStart(6)} MB`
}
const totalBytes = (pieces: Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)
const encode = (encoding: Parameters<typeof createEncoder>[0]) => (): number => {
  const encoder = createEncoder(encoding)
  let bytes = totalBytes(encoder.start(whole.columns))
  for (const frame of frames) bytes += totalBytes(encoder.frame(frame))
  return bytes + totalBytes(encoder.end())
}

const report = (name: string, figures: string): boolean => process.stdout.write(`${name.padEnd(18)}${figures}\n`)

report('frame messages', measureFastest(encode({ as: 'frames' })))
report(
  'one frame message',
  measureFastest(() => encodeMessage({ type: 'frame' }, whole).length),
)
report('JSON rows, ms', measureFastest(encode({ as: 'rows', times: 'ms' })))
report('JSON rows, iso', measureFastest(encode({ as: 'rows', times: 'iso' })))
report('CSV', measureFastest(encode({ as: 'csv', escape: true, separator: ',', header: true })))
