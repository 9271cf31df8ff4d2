import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellAt } from '@parquetry/frame'
import { createRandom, listSeeds } from '@parquetry/model/testing/random'
import { inlineValues, sql } from '@parquetry/query'
import { readAll, withOpenSession } from '@parquetry/testing/sessions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Instance } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { duckdbDriver } from './driver.ts'
import { likeMatches, regexMatches } from './like.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-like-'))
let instance: Instance
beforeAll(async () => {
  instance = await duckdbDriver.open(folder, [], { memoryLimitMb: 200, threads: 1, spillFolder: join(folder, 'spill') })
})
afterAll(() => {
  instance.close()
  rmSync(folder, { recursive: true })
})

const cells = (text: string): Promise<unknown[]> =>
  withOpenSession(instance.session(), async (session) => {
    const { frame } = await readAll(session, text)
    return Array.from({ length: frame.rows }, (_, row) => frame.columns.map((column) => cellAt(column, row)))
  })

it.each(listSeeds(20))(
  'finds what LIKE and ILIKE of the engine find, whatever the pattern is (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    const write = (pieces: readonly string[]) =>
      Array.from({ length: random.int(6) }, () => random.pick([...pieces])).join('')
    const plain = ['a', 'A', 'b', 'ä', 'Ä', '.', '(', '*', '\n', '$', '車', '😀', '%', '_', '\\', '|']
    const rows = Array.from({ length: 200 }, () => {
      const text = write(plain)
      const pattern = write([...plain.filter((piece) => piece !== '\\'), '%', '_', '%', String.raw`\%`, String.raw`\a`])
      const ignoreCase = random.int(2) === 1
      const like = ignoreCase ? sql`ILIKE` : sql`LIKE`
      const expected = sql`${text} ${like} ${pattern} ESCAPE '\\'`
      return sql`SELECT ${text} AS t, ${pattern} AS p, ${expected} AS e, ${likeMatches(sql`${text}`, sql`${pattern}`, ignoreCase)} AS f`
    })
    const union = inlineValues(sql.join(rows, ' UNION ALL '), dialect)
    expect(await cells(`SELECT t, p FROM (${union}) WHERE e <> f`)).toEqual([])
  },
)

it('regression: searches patterns with many wildcards in linear time', async () => {
  const write = (pattern: string, ignoreCase: boolean) =>
    inlineValues(likeMatches(sql.id('t'), sql`${pattern}`, ignoreCase), dialect)
  expect(write('%a%b%', true)).toBe(`LOWER("t") LIKE LOWER('%a%b%')`)
  expect(write(String.raw`%50\%%`, false)).toBe(String.raw`"t" LIKE '%50\%%' ESCAPE '\'`)
  expect(write('%a_%b', false)).toBe(`regexp_matches("t", '()(?s)^.*a..*b$')`)
  expect(write(String.raw`\%a_%`, true)).toBe(`regexp_matches(LOWER("t"), LOWER('()(?s)^%a..*$'))`)
})

it('regression: the engine does not turn regular expressions into LIKE, and they keep their case', async () => {
  const test = (text: string, pattern: string) => inlineValues(regexMatches(sql`${text}`, sql`${pattern}`), dialect)
  const pairs = [
    ['ab', 'a.*b'],
    ['AB', 'a.*b|b'],
    ['AB', '(?i)a'],
  ] as const
  expect(await cells(`SELECT ${pairs.map(([text, pattern]) => test(text, pattern)).join(', ')}`)).toEqual([
    [true, false, true],
  ])
  const matches = [
    regexMatches(sql.id('t'), sql`${'.*a.*a.*b'}`),
    regexMatches(sql.id('t'), sql`${'(?s)^.*a.*b$'}`),
    likeMatches(sql.id('t'), sql`${'%a_%_b'}`, false),
  ]
  for (const each of matches) {
    const [, plan] = (
      await cells(
        `EXPLAIN SELECT * FROM (SELECT 'text ' || range AS t FROM range(100)) WHERE ${inlineValues(each, dialect)}`,
      )
    )[0] as string[]
    expect(plan).toContain('regexp_matches')
  }
})
