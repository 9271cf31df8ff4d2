import type { DescribeResult } from '@parquetry/model'
import type { Client } from 'pg'
import { dialect } from './dialect.ts'

type Partitions = NonNullable<Extract<DescribeResult, { what: 'table' }>['partitions']>

interface Bound {
  from: string | null
}

const compare = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)]
  return Number.isNaN(x) || Number.isNaN(y) ? (a < b ? -1 : 1) : x - y
}

/**
 * Describes how a table is partitioned. The latest partition is known for ranges of a single column: the one with the largest
 * lower bound, which for dates is compared as text.
 */
export async function describePostgresPartitions(
  client: Client,
  relation: number,
  schema: string | null,
  table: string,
): Promise<Partitions> {
  const { rows: keys } = await client.query<{ name: string | null; way: string }>(
    `SELECT a.attname AS name, t.partstrat::text AS way
     FROM pg_partitioned_table t CROSS JOIN unnest(t.partattrs::int2[]) WITH ORDINALITY p(number, place)
       LEFT JOIN pg_attribute a ON a.attrelid = t.partrelid AND a.attnum = p.number
     WHERE t.partrelid = $1 ORDER BY p.place`,
    [relation],
  )
  const { rows: bounds } = await client.query<Bound>(
    `SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''?(.*?)''?\\) TO') AS from
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1`,
    [relation],
  )
  const cols = keys.flatMap(({ name }) => (name === null ? [] : [name]))
  const [only] = cols
  const isRange = cols.length === 1 && keys[0]?.way === 'r'
  const known = bounds.flatMap(({ from }) => (from === null || /^MINVALUE$/i.test(from) ? [] : [from]))
  const latest = isRange ? known.toSorted(compare).at(-1) : undefined
  const name = [schema, table].flatMap((part) => (part === null ? [] : [dialect.quote(part)])).join('.')
  return {
    cols,
    latest: only !== undefined && latest !== undefined ? { [only]: latest } : {},
    partitionQuery: [
      'SELECT c.oid::regclass AS partition, pg_get_expr(c.relpartbound, c.oid) AS bound, c.reltuples AS rows',
      'FROM pg_inherits i',
      'JOIN pg_class c ON c.oid = i.inhrelid',
      `WHERE i.inhparent = ${dialect.literal(name)}::regclass`,
      'ORDER BY 1',
    ].join('\n'),
  }
}
