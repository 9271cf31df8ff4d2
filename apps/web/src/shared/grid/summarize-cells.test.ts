import { buildColumn, type Column } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { formatExactNumber } from './cell-text.ts'
import { summarizeCells } from './summarize-cells.ts'

const bigints = (...values: bigint[]): Column => ({
  name: 'n',
  type: 'BIGINT',
  kind: 'bigint',
  validity: null,
  data: BigInt64Array.from(values),
})
const decimals = (scale: number, ...values: bigint[]): Column => ({
  name: 'd',
  type: 'DECIMAL',
  kind: 'decimal',
  scale,
  validity: null,
  data: BigInt64Array.from(values),
})
const summarize = (...columns: Column[]) => summarizeCells({ columns, rows: [0, 1, 2] })

it('sums integers beyond 2^53 and decimals with every digit', async () => {
  expect(await summarize(bigints(9_007_199_254_740_993n, 2n, -1n))).toEqual({
    filled: 3,
    numbers: 3,
    sum: '9007199254740994',
    average: '3002399751580331.333333',
    min: '-1',
    max: '9007199254740993',
  })
  expect(await summarize(decimals(2, 10n, 20n, 1234n), bigints(1n, 2n, 3n))).toMatchObject({
    sum: '18.64',
    average: '3.10666667',
    min: '0.10',
    max: '12.34',
  })
  expect(await summarize(decimals(2, -10n, -20n, 0n))).toMatchObject({ sum: '-0.30', average: '-0.1' })
})

it('sums floats as they are shown: 0.1 + 0.2 + 1e-7 is 0.3000001', async () => {
  expect(await summarize(buildColumn([0.1, 0.2, 1e-7], 'f'))).toMatchObject({ sum: '0.3000001', min: '0.0000001' })
  expect(await summarize(buildColumn([1 / 3, 1 / 3, 1 / 7], 'f'))).toMatchObject({ sum: '0.809523809523809' })
  const large = Number.MAX_SAFE_INTEGER
  expect(await summarize(buildColumn([large, large, large], 'f'))).toMatchObject({
    sum: String(3n * BigInt(large)),
    average: String(large),
  })
})

it('counts what is not null, takes no text for a number, and shows infinities', async () => {
  const texts = buildColumn(['1', '', null], 't')
  expect(await summarize(texts)).toEqual({ filled: 2, numbers: 0, sum: null, average: null, min: null, max: null })
  expect(await summarize(buildColumn([1, null, 3], 'n'), texts)).toMatchObject({
    filled: 4,
    numbers: 2,
    sum: '4',
    average: '2',
  })
  const infinite: Column = {
    name: 'f',
    type: 'DOUBLE',
    kind: 'number',
    validity: null,
    data: Float64Array.of(1, Infinity, 2),
  }
  expect(await summarize(infinite)).toMatchObject({ numbers: 3, sum: 'Infinity', min: null })
})

it('formats exact numbers for a locale', () => {
  expect(formatExactNumber('-12345678901234567890.50', 'de')).toBe('-12.345.678.901.234.567.890,50')
  expect(formatExactNumber('-0.5', 'en')).toBe('-0.5')
  expect(formatExactNumber('1234567', 'en')).toBe('1,234,567')
  expect(formatExactNumber('Infinity', 'en')).toBe('Infinity')
})
