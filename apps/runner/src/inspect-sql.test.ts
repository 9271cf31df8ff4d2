import { describe, expect, it } from 'vitest'
import { inspectSql } from './inspect-sql.ts'

const unusedDuckdbParser = () => Promise.reject(new Error('DuckDB must not be used'))

describe('a statement that overflows the stack', () => {
  it.each(['postgresql', 'mysql', 'sqlite', 'trino', 'clickhouse'])(
    'regression: is reported with its position by %s, and the next text is parsed',
    async (dialect) => {
      const deep = `SELECT 1;\nSELECT ${'1+'.repeat(12_000)}1`
      expect((await inspectSql(deep, dialect, unusedDuckdbParser)).error).toMatchObject({
        message: 'This statement is nested too deeply to be parsed',
        line: 2,
        column: 1,
      })
      expect((await inspectSql('SELECT 1', dialect, unusedDuckdbParser)).statements).toHaveLength(1)
    },
  )
})
