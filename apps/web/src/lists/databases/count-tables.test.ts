import { expect, it } from 'vitest'
import { countTables } from './count-tables.ts'

it('regression: adds up the tables of schemas that answer in any order', async () => {
  const counts: Record<string, number> = { public: 12, sales: 3, empty: 0 }
  const slow = new Map(Object.keys(counts).map((name) => [name, Promise.withResolvers<number>()]))
  const counted = countTables([...slow.keys(), 'pg_catalog'], (schema) => slow.get(schema)!.promise)
  for (const [name, answer] of slow) answer.resolve(counts[name]!)
  expect(await counted).toEqual({ schemas: 3, tables: 15 })
})

it('does not count the tables of very many schemas', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `s${index}`)
  expect(await countTables(names, () => Promise.reject(new Error('not asked')))).toEqual({ schemas: 51, tables: null })
})
