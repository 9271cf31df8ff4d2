import { buildColumn, type Column, type Frame } from '@parquetry/frame'
import { UiProvider } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { i18n } from '../intl.ts'
import { DataGrid } from './DataGrid.tsx'

/** A page with one grid and nothing else, for tests in a real browser. */

const kinds: ((rows: number, name: string) => Column)[] = [
  (rows, name) => ({ name, type: 'INTEGER', kind: 'number', validity: null, data: ints(rows) }),
  (rows, name) => ({ name, type: 'DOUBLE', kind: 'number', validity: everyFifthNull(rows), data: doubles(rows) }),
  (rows, name) => ({ name, type: 'BIGINT', kind: 'bigint', validity: null, data: longs(rows) }),
  (rows, name) => ({ name, type: 'DECIMAL(18,2)', kind: 'decimal', scale: 2, validity: null, data: longs(rows) }),
  (rows, name) => ({ name, type: 'TIMESTAMP', kind: 'time', unit: 'zoned', validity: null, data: times(rows) }),
  (rows, name) =>
    buildColumn(
      texts(rows, (row) => `city ${row % 200}`),
      name,
    ),
  (rows, name) =>
    buildColumn(
      texts(rows, (row) => `a text of its own, number ${row}`),
      name,
    ),
  (rows, name) =>
    buildColumn(
      texts(rows, (row) => (row % 3 === 0 ? '' : row % 3 === 1 ? null : `{"row":${row}}`)),
      name,
    ),
]
const ints = (rows: number) => Int32Array.from({ length: rows }, (_, row) => (row * 7919) % 100_003)
const doubles = (rows: number) => Float64Array.from({ length: rows }, (_, row) => row / 7)
const longs = (rows: number) => BigInt64Array.from({ length: rows }, (_, row) => 9_007_199_254_740_993n + BigInt(row))
const times = (rows: number) => Float64Array.from({ length: rows }, (_, row) => 1.7e12 + row * 1000)
const texts = <T,>(rows: number, text: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => text(row))
const everyFifthNull = (rows: number): Uint8Array => {
  const bits = new Uint8Array((rows + 7) >> 3).fill(255)
  for (let row = 0; row < rows; row += 5) bits[row >> 3]! &= ~(1 << (row & 7))
  return bits
}

export const testFrame = (rows: number, columns: number): Frame => ({
  rows,
  columns: Array.from({ length: columns }, (_, index) => kinds[index % kinds.length]!(rows, `column_${index}`)),
})

let show: (frame: Frame | null) => void = () => undefined

function Harness() {
  const [frame, setFrame] = useState<Frame | null>(null)
  const [, again] = useState(0)
  useEffect(() => {
    show = (next) => {
      flushSync(() => setFrame(next))
      // React retains the previous state; a real page would render again.
      if (next === null) flushSync(() => again((now) => now + 1))
    }
  }, [])
  return (
    <main style={{ height: '100vh' }}>
      <h1 className="visually-hidden">Grid</h1>
      {frame && <DataGrid frame={frame} label="Result" />}
    </main>
  )
}

const navigation = { go: () => undefined, preload: () => undefined }
createRoot(document.getElementById('root')!).render(
  <UiProvider navigation={navigation} i18n={i18n}>
    <Harness />
  </UiProvider>,
)

Object.assign(window, {
  gridHarness: {
    /** @returns milliseconds until the first cells are in the document */
    show: (rows: number, columns: number): number => {
      const frame = testFrame(rows, columns)
      const begun = performance.now()
      show(frame)
      return performance.now() - begun
    },
    close: () => show(null),
  },
})
