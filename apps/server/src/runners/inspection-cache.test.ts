import type { Inspection } from '@parquetry/model'
import { expect, it } from 'vitest'
import { InspectionCache } from './inspection-cache.ts'

const inspection: Inspection = { statements: [], error: null }

it('parses the texts of a dataset with 2,000 calculated columns and 500 metrics only once', async () => {
  const inspections = new InspectionCache()
  let reads = 0
  const judge = () =>
    Promise.all(
      Array.from({ length: 2 * 2500 }, (_, index) =>
        inspections.get('duckdb', `SELECT (distance + ${index})`, async () => {
          reads += 1
          return inspection
        }),
      ),
    )
  await judge()
  await judge()
  expect(reads).toBe(5000)
})

it('caches neither failures nor timeouts, and separates dialects', async () => {
  const inspections = new InspectionCache()
  const parsedDialects: string[] = []
  const ask = (dialect: string, answer: () => Promise<Inspection | 'too_long'>) =>
    inspections.get(dialect, 'SELECT 1', () => {
      parsedDialects.push(dialect)
      return answer()
    })
  await ask('duckdb', async () => 'too_long')
  await expect(ask('duckdb', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await ask('duckdb', async () => inspection)).toBe(inspection)
  expect(await ask('duckdb', async () => 'too_long')).toBe(inspection)
  expect(await ask('postgresql', async () => 'too_long')).toBe('too_long')
  expect(parsedDialects).toEqual(['duckdb', 'duckdb', 'duckdb', 'postgresql'])
})
