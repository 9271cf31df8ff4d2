import { describe, expect, it } from 'vitest'
import { inspectSql } from './inspect-sql.ts'

const noDuckdb = () => Promise.reject(new Error('not asked'))

describe('a text that overflows the stack', () => {
  it.each(['postgresql', 'mysql', 'sqlite', 'trino', 'clickhouse'])(
    'regression: is an error of %s with its position, and the next text is parsed',
    async (dialect) => {
      const deep = `SELECT 1;\nSELECT ${'1+'.repeat(12_000)}1`
      expect((await inspectSql(deep, dialect, noDuckdb)).error).toMatchObject({
        message: 'This statement is nested too deeply to be parsed',
        line: 2,
        column: 1,
      })
      expect((await inspectSql('SELECT 1', dialect, noDuckdb)).statements).toHaveLength(1)
    },
  )
})
