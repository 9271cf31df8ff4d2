import type { Connection } from 'mysql2'
import { queryMysql } from './client.ts'

/**
 * Cost of a statement as the optimizer expects it, in its own units; nothing runs. MySQL reports the cost in the plan, MariaDB
 * separately; rows are those it expects to examine.
 */
export async function estimateMysqlCost(client: Connection, sql: string): Promise<Record<string, string>> {
  const [row] = await queryMysql(client, `EXPLAIN FORMAT=JSON ${sql}`)
  const plan = JSON.parse(String(row?.[0] ?? '{}')) as Record<string, unknown>
  const cost = find(plan, 'query_cost') ?? find(plan, 'cost') ?? (await lastCost(client))
  const rows = sum(plan)
  return {
    ...(cost !== undefined && { 'Total cost': String(cost) }),
    ...(rows > 0 && { 'Rows examined': String(rows) }),
  }
}

async function lastCost(client: Connection): Promise<string | undefined> {
  const [row] = await queryMysql(client, `SHOW SESSION STATUS LIKE 'Last_query_cost'`)
  return row && String(row[1]).replace(/0+$/, '').replace(/\.$/, '.0')
}

type Found = string | number | undefined

function find(node: unknown, name: string): Found {
  if (typeof node !== 'object' || node === null) return undefined
  const own = (node as Record<string, Found>)[name]
  if (typeof own === 'string' || typeof own === 'number') return own
  for (const child of Object.values(node)) {
    const found = find(child, name)
    if (found !== undefined) return found
  }
  return undefined
}

function sum(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const { rows, rows_examined_per_scan: scanned } = node as Record<string, unknown>
  const own = Number(scanned ?? rows ?? 0) || 0
  return Object.values(node).reduce<number>((total, child) => total + sum(child), own)
}
