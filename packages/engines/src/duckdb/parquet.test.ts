import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildColumn, textAt } from '@parquetry/frame'
import { defaultLimits } from '@parquetry/model'
import { readAll, withOpenSession } from '@parquetry/testing/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instance } from '../shared/driver.ts'
import { duckdbDriver } from './driver.ts'
import { parseNestedType } from './parquet-types.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-parquet-'))
const limits = { memoryLimitMb: 256, threads: 1, spillFolder: folder }
let instance: Instance
beforeAll(async () => {
  instance = await duckdbDriver.open(folder, [], limits)
})
afterAll(() => {
  instance.close()
  rmSync(folder, { recursive: true })
})

/** Writes the result of a query to a file. @returns type and first value of each column in the file, as text */
async function roundTrip(sql: string): Promise<Record<string, [type: string, value: string | null]>> {
  const path = join(folder, 'file.parquet')
  return withOpenSession(instance.session(), async (session) => {
    const writer = await duckdbDriver.createParquetWriter(path, limits)
    for await (const frame of session.run({ name: 'test', text: sql, values: [] }, defaultLimits))
      await writer.frame(frame)
    await writer.end()
    await writer.close()
    const { frame: types } = await readAll(session, `DESCRIBE SELECT * FROM '${path}'`)
    const { frame: values } = await readAll(session, `SELECT * FROM '${path}'`)
    return Object.fromEntries(
      values.columns.map((column, index) => [column.name, [textAt(types.columns[1]!, index) ?? '', textAt(column, 0)]]),
    )
  })
}

describe('a Parquet file', () => {
  it('regression: keeps the type of every column', async () => {
    expect(
      await roundTrip(`SELECT (-5)::TINYINT AS t, 250::UTINYINT AS ut, 300::SMALLINT AS s, 7 AS i, 8::BIGINT AS b,
        18446744073709551615::UBIGINT AS ub, 12345678901234567890123456789012345678::HUGEINT AS h, 5::HUGEINT AS small,
        1.50::DECIMAL(10, 2) AS d, 1234567890123456789012345678.0123456789::DECIMAL(38, 10) AS long, 0.1::FLOAT AS f,
        'nan'::DOUBLE AS n, '2024-02-29 23:59:59.999999999'::TIMESTAMP_NS AS ns, TIME '01:02:03.5' AS at, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID AS u,
        '\\x00\\xFF'::BLOB AS bin, [1, NULL, 3] AS list, {'a': 1, 'b c': 'x'} AS odd, {'a': 1, 'b': ['x']} AS struct,
        MAP {'k': 1.5::DOUBLE} AS map, DATE '2024-02-29' AS day, true AS yes`),
    ).toEqual({
      t: ['TINYINT', '-5'],
      ut: ['UTINYINT', '250'],
      s: ['SMALLINT', '300'],
      i: ['INTEGER', '7'],
      b: ['BIGINT', '8'],
      ub: ['UBIGINT', '18446744073709551615'],
      h: ['DECIMAL(38,0)', '12345678901234567890123456789012345678'],
      small: ['DECIMAL(38,0)', '5'],
      d: ['DECIMAL(10,2)', '1.50'],
      long: ['DECIMAL(38,10)', '1234567890123456789012345678.0123456789'],
      f: ['FLOAT', '0.1'],
      n: ['DOUBLE', 'NaN'],
      ns: ['TIMESTAMP_NS', '2024-02-29T23:59:59.999999999'],
      at: ['TIME', '01:02:03.500000'],
      u: ['UUID', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      bin: ['BLOB', 'AP8='],
      list: ['INTEGER[]', '[1, null, 3]'],
      odd: ['VARCHAR', '{"a": 1, "b c": "x"}'],
      struct: [expect.stringMatching(/^STRUCT\("?a"? INTEGER, "?b"? VARCHAR\[\]\)$/) as string, '{"a": 1, "b": ["x"]}'],
      map: ['MAP(VARCHAR, DOUBLE)', '{"k": 1.5}'],
      day: ['DATE', '2024-02-29'],
      yes: ['BOOLEAN', 'true'],
    })
  })

  it('keeps texts of a column in which one value does not fit the type', async () => {
    const all = '170141183460469231731687303715884105727'
    expect(await roundTrip(`SELECT ${all}::HUGEINT AS h, NULL::UUID AS u, INTERVAL 1 DAY AS i`)).toEqual({
      h: ['VARCHAR', all],
      u: ['UUID', null],
      i: ['VARCHAR', '1 days 00:00:00'],
    })
  })

  it('regression: writes integers that exceed 64 bits in a later frame', async () => {
    const path = join(folder, 'mixed.parquet')
    const writer = await duckdbDriver.createParquetWriter(path, limits)
    for (const value of [5n, 18446744073709551615n])
      await writer.frame({
        rows: 1,
        columns: [
          value < 2n ** 63n
            ? { name: 'u', kind: 'bigint', type: 'LONGLONG', validity: null, data: BigInt64Array.of(value) }
            : { ...buildColumn([value], 'u'), type: 'LONGLONG' },
        ],
      })
    await writer.end()
    await writer.close()
    const { frame } = await withOpenSession(instance.session(), (session) =>
      readAll(session, `SELECT typeof(u) AS t, CAST(u AS VARCHAR) AS u FROM '${path}'`),
    )
    expect(frame.columns.map((column) => [textAt(column, 0), textAt(column, 1)])).toEqual([
      ['UBIGINT', 'UBIGINT'],
      ['5', '18446744073709551615'],
    ])
  })

  it('gives equal names of columns others that are not taken', async () => {
    expect(Object.keys(await roundTrip('SELECT 1 AS a, 2 AS a, 3 AS A__1'))).toEqual(['a', 'a__2', 'A__1'])
  })

  it('reads type names only if nothing in them could be other SQL', () => {
    expect(parseNestedType('STRUCT(a INTEGER, b MAP(VARCHAR, DATE[]))[]')).toBe(
      'STRUCT("a" INTEGER, "b" MAP(VARCHAR, DATE[]))[]',
    )
    for (const type of [
      'INTEGER',
      'STRUCT(a b INTEGER)',
      'STRUCT(a INTEGER); SELECT 1',
      'HUGEINT[]',
      'STRUCT(a"b DATE)',
    ])
      expect(parseNestedType(type)).toBeNull()
  })
})
