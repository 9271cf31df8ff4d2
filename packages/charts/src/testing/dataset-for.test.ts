import { expect, it } from 'vitest'
import pie from '../pie/chart.ts'
import { datasetFor } from './dataset-for.ts'
import { toFrames } from './frames.ts'

const frames = toFrames({ slices: [{ name: 'city', values: ['Bonn', 'Köln'] }] })
/** Returns the generated rows, with the metric's columns first. */
const rowsFor = (sqlExpression: string): string[] => {
  const metric = { expressionType: 'SQL', sqlExpression, label: 'n' }
  const { sql } = datasetFor(pie, { viz_type: 'pie', groupby: ['city'], metric }, frames)
  return [...sql.matchAll(/\(([^()]*'(?:Bonn|Köln)')\)/g)].map(([, row = '']) => row)
}

it('has the values of a frame in their rows, and generated numbers', () => {
  const rows = rowsFor('SUM(sales)')
  expect(rows).toHaveLength(8)
  expect(rows.slice(0, 2)).toEqual([expect.stringMatching(/^\d+, 'Bonn'$/), expect.stringMatching(/^\d+, 'Köln'$/)])
})

it('regression: has rows that match the condition of a metric', () => {
  const rows = rowsFor(`MAX(n) FILTER (WHERE "year" = 2005) - MAX(n) FILTER (WHERE year = 1955 AND kind = 'a b')`)
  for (const city of ['Bonn', 'Köln'])
    for (const year of [1955, 2005])
      expect(rows).toContainEqual(expect.stringMatching(`^\\d+, ${year}, 'a b', '${city}'$`))
})
