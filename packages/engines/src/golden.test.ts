import { golden, goldenText, planCase, queryCases } from '@parquetry/testing'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engines } from './index.ts'

const folders: Record<string, string> = { duckdb: 'duckdb', postgresql: 'postgres' }

describe.each(engines.map(({ name, dialect }) => ({ name, dialect })))('$name', ({ name, dialect }) => {
  const folder = new URL(`./${folders[name]}/golden/`, import.meta.url)
  const source = { kind: 'network', engine: name, id: 'sample', settings: {}, schema: null } as const

  it.each(queryCases)('compiles as it did: $name', (one) => {
    const actual = goldenText(planCase(one, { dialect, source }).plan)
    expect(actual).toBe(golden(new URL(`${one.name}.sql`, folder), actual))
  })

  it('has no golden file without a case', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && !file.endsWith('.changed.sql'))
    expect(files.toSorted()).toEqual(queryCases.map((one) => `${one.name}.sql`).toSorted())
  })
})
