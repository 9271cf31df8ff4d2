import { hasRegex } from '@parquetry/model'
import { listTimeGrains } from '@parquetry/query'
import { compareWithGolden, formatGolden, planCase, queryCases } from '@parquetry/testing'
import { globSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineOf, engines } from './index.ts'

/** Folder of each engine, by its name. */
const folders = new Map(
  await Promise.all(
    globSync('*/engine.ts', { cwd: import.meta.dirname }).map(async (path) => {
      const module = (await import(`./${path}`)) as Record<string, { name?: string }>
      const engine = Object.values(module).find(({ name }) => engines.some((one) => one.name === name))
      return [engine?.name, dirname(path)] as const
    }),
  ),
)

it('the pages offer regular expressions on the engines that have them', () => {
  expect(engines.map(({ name }) => [name, hasRegex(name)])).toEqual(
    engines.map(({ name, dialect }) => [name, dialect.regex !== null]),
  )
})

it('TIME-030: DuckDB and SQLite have every grain', () => {
  const durations = (name: string) => listTimeGrains(engineOf(name)!.dialect).map(({ duration }) => duration)
  expect(durations('duckdb')).toEqual(durations('sqlite'))
  const weeks = [
    '1969-12-28T00:00:00Z/P1W',
    '1969-12-29T00:00:00Z/P1W',
    'P1W/1970-01-03T00:00:00Z',
    'P1W/1970-01-04T00:00:00Z',
  ]
  const others = 'PT1S PT5S PT30S PT1M PT5M PT10M PT15M PT30M PT1H PT6H P1D P1W P1M P3M P1Y'.split(' ')
  expect(durations('duckdb')).toEqual([...others, ...weeks])
})

describe.each(engines.map(({ name, dialect }) => ({ name, dialect })))('$name', ({ name, dialect }) => {
  const folder = new URL(`./${folders.get(name)}/golden/`, import.meta.url)
  const source = { kind: 'network', engine: name, id: 'sample', settings: {}, schema: null } as const

  it.each(queryCases)('matches its golden file: $name', (one) => {
    const actual = formatGolden(planCase(one, { dialect, source }).plan)
    expect(actual).toBe(compareWithGolden(new URL(`${one.name}.sql`, folder), actual))
  })

  it('has no golden file without a case', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && !file.endsWith('.changed.sql'))
    expect(files.toSorted()).toEqual(queryCases.map((one) => `${one.name}.sql`).toSorted())
  })
})
