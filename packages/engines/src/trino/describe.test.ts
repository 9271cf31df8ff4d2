import { AppError } from '@parquetry/model'
import { expect, it } from 'vitest'
import { describe as describeSource } from './describe.ts'

/** A catalog with one Hive table, partitioned by two columns; no connector of the test server has partitions. */
const hive = (partitions: unknown[][] | AppError, statements: string[] = []) => ({
  catalog: 'hive',
  schema: 'web',
  async all({ sql }: { sql: string }) {
    statements.push(sql)
    const rows = (found: unknown[][]) => ({ columns: [], rows: found })
    if (sql.includes('information_schema.columns'))
      return rows([
        ['n', 'bigint', 'YES', null, null],
        ['day', 'date', 'YES', null, 'partition key'],
        ['Land', 'varchar(2)', 'NO', '', 'partition key'],
      ])
    if (sql.startsWith('SHOW STATS')) throw new AppError('query_failed')
    if (!sql.includes('$partitions')) return rows([])
    if (partitions instanceof AppError) throw partitions
    return rows(partitions)
  },
})

const describeTable = (partitions: unknown[][] | AppError) =>
  describeSource({ what: 'table', schema: null, table: 'visits' }, hive(partitions))

it('returns the partition columns and the latest partition', async () => {
  expect(await describeTable([['2026-01-02', 'DE']])).toEqual({
    what: 'table',
    columns: [
      { name: 'n', type: 'BIGINT', generic: 0, comment: null, nullable: true },
      { name: 'day', type: 'DATE', generic: 2, comment: null, nullable: true },
      { name: 'Land', type: 'VARCHAR(2)', generic: 1, comment: null, nullable: false },
    ],
    keys: [],
    comment: null,
    partitions: {
      cols: ['day', 'Land'],
      latest: { day: '2026-01-02', Land: 'DE' },
      partitionQuery: `SELECT "day", "Land"\nFROM "hive"."web"."visits$partitions"\nORDER BY "day" DESC, "Land" DESC\nLIMIT 1`,
    },
  })
})

it('returns no latest partition for a table without rows, and no partitions when the connector has no list of them', async () => {
  expect(await describeTable([])).toMatchObject({ partitions: { cols: ['day', 'Land'], latest: {} } })
  expect(await describeTable(new AppError('table_missing'))).not.toHaveProperty('partitions')
  await expect(describeTable(new AppError('connection_failed'))).rejects.toMatchObject({ code: 'connection_failed' })
})

it('returns the last partition with the given values, each compared by the type of its column', async () => {
  const statements: string[] = []
  const values = { day: "2026-01-02'", Land: "D'E" }
  const request = { what: 'partition', schema: null, table: 'Visits', values } as const
  expect(await describeSource(request, hive([['2026-01-02', null]], statements))).toEqual({
    what: 'partition',
    cols: ['day', 'Land'],
    latest: { day: '2026-01-02' },
  })
  expect(statements.at(-1)).toBe(
    `SELECT "day", "Land"\nFROM "hive"."web"."Visits$partitions"\nWHERE "day" = CAST('2026-01-02''' AS date) AND "Land" = 'D''E'\nORDER BY "day" DESC, "Land" DESC\nLIMIT 1`,
  )
})

it('returns no partition when the connector has no list of them', async () => {
  const request = { what: 'partition', schema: null, table: 'visits', values: {} } as const
  const none = { what: 'partition', cols: [], latest: {} }
  expect(await describeSource(request, hive(new AppError('table_missing')))).toEqual(none)
})
