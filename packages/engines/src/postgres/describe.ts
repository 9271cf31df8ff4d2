import type { AccountPower, DescribeResult, DescribedColumn, DescribedKey } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import type { Client } from 'pg'
import { describePostgresPartitions } from './partitions.ts'
import { formatPostgresColumnType, genericOf } from './types.ts'

export async function listPostgresSchemas(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ nspname: string }>(
    `SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' ORDER BY nspname`,
  )
  return rows.map(({ nspname }) => nspname)
}

/** Row count as estimated by the planner; null before the first ANALYZE, and always for views and foreign tables. */
const statistics = `CASE WHEN c.relkind IN ('r', 'p', 'm') AND c.reltuples >= 0 THEN c.reltuples::float8 END`

export async function listPostgresTables(
  client: Client,
  schema: string | null,
): Promise<{ name: string; type: 'table' | 'view'; rows?: number }[]> {
  const { rows } = await client.query<{ name: string; type: 'table' | 'view'; rows: number | null }>(
    `SELECT c.relname AS name, CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS type, ${statistics} AS rows
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = coalesce($1, current_schema()) AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
       AND NOT c.relispartition
     ORDER BY c.relname`,
    [schema],
  )
  return rows.map(({ name, type, rows: near }) => ({ name, type, ...(near !== null && { rows: near }) }))
}

/** @throws AppError `table_missing` */
export async function describePostgresTable(
  client: Client,
  schema: string | null,
  table: string,
): Promise<DescribeResult> {
  const { rows: found } = await client.query<{
    oid: number
    kind: string
    comment: string | null
    rows: number | null
    view: string | null
  }>(
    `SELECT c.oid::int8::text AS oid, c.relkind::text AS kind, obj_description(c.oid, 'pg_class') AS comment,
            ${statistics} AS rows, CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid, true) END AS view
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = coalesce($1, current_schema()) AND c.relname = $2 AND c.relkind IN ('r', 'p', 'f', 'v', 'm')`,
    [schema, table],
  )
  const [relation] = found
  if (!relation)
    throw new AppError('table_missing', { message: `relation "${schema ? `${schema}.` : ''}${table}" does not exist` })
  return {
    what: 'table',
    columns: await columns(client, relation.oid),
    keys: [...(await constraints(client, relation.oid)), ...(await indexes(client, relation.oid))],
    comment: relation.comment,
    ...(relation.rows !== null && { rows: relation.rows }),
    ...(relation.view !== null && { view: relation.view }),
    ...(relation.kind === 'p' && { partitions: await describePostgresPartitions(client, relation.oid, schema, table) }),
  }
}

async function columns(client: Client, relation: number): Promise<DescribedColumn[]> {
  const { rows } = await client.query<{ name: string; type: string; nullable: boolean; comment: string | null }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
            col_description(a.attrelid, a.attnum) AS comment
     FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [relation],
  )
  return rows.map(({ name, type, nullable, comment }) => {
    const spelled = formatPostgresColumnType(type)
    return { name, type: spelled, generic: genericOf(spelled), comment, nullable }
  })
}

const kinds = { p: 'pk', u: 'unique', f: 'fk' } as const

async function constraints(client: Client, relation: number): Promise<DescribedKey[]> {
  const { rows } = await client.query<{
    name: string
    kind: 'p' | 'u' | 'f'
    column_names: string[]
    referred_schema: string | null
    referred_table: string | null
    referred_columns: string[] | null
  }>(
    `SELECT k.conname AS name, k.contype::text AS kind, names(k.conrelid, k.conkey) AS column_names,
            n.nspname AS referred_schema, r.relname AS referred_table,
            CASE WHEN k.confrelid <> 0 THEN names(k.confrelid, k.confkey) END AS referred_columns
     FROM pg_constraint k LEFT JOIN pg_class r ON r.oid = k.confrelid LEFT JOIN pg_namespace n ON n.oid = r.relnamespace
     WHERE k.conrelid = $1 AND k.contype IN ('p', 'u', 'f') ORDER BY k.contype DESC, k.conname`.replaceAll(
      /names\(([a-z.]+), ([a-z.]+)\)/g,
      `(SELECT json_agg(a.attname ORDER BY p.place) FROM unnest($2) WITH ORDINALITY p(number, place)
        JOIN pg_attribute a ON a.attrelid = $1 AND a.attnum = p.number)`,
    ),
    [relation],
  )
  return rows.map(({ name, kind, column_names, ...referred }) => ({
    name,
    column_names,
    type: kinds[kind],
    ...(kind === 'f' && {
      referred_schema: referred.referred_schema,
      referred_table: referred.referred_table ?? '',
      referred_columns: referred.referred_columns ?? [],
    }),
  }))
}

/** Indexes that do not belong to a constraint; expressions in an index have no name and are left out. */
async function indexes(client: Client, relation: number): Promise<DescribedKey[]> {
  const { rows } = await client.query<{ name: string; column_names: string[] }>(
    `SELECT c.relname AS name, json_agg(a.attname ORDER BY p.place) AS column_names
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY p(number, place)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = p.number
     WHERE i.indrelid = $1 AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     GROUP BY c.relname ORDER BY c.relname`,
    [relation],
  )
  return rows.map(({ name, column_names }) => ({ name, column_names, type: 'index' }))
}

/** Roles that can access files and programs of the server. */
const reaching = `'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'`

export async function readAccountPowers(client: Client): Promise<AccountPower[]> {
  const { rows } = await client.query<Record<AccountPower, boolean>>(
    `SELECT r.rolsuper AS superuser, r.rolcreaterole OR r.rolreplication OR r.rolbypassrls AS accounts,
            EXISTS (SELECT FROM pg_roles p WHERE p.rolname IN (${reaching}) AND pg_has_role(p.oid, 'member')) AS files,
            has_database_privilege(current_database(), 'CREATE')
              OR EXISTS (SELECT FROM pg_namespace n WHERE n.nspname !~ '^(pg_|information_schema$)'
                         AND has_schema_privilege(n.oid, 'CREATE'))
              OR EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                         WHERE c.relkind IN ('r', 'p', 'f') AND n.nspname !~ '^(pg_|information_schema$)'
                         AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS write
     FROM pg_roles r WHERE r.rolname = current_user`,
  )
  const [may] = rows
  if (may?.superuser) return ['superuser']
  return (['accounts', 'files', 'write'] as const).filter((power) => may?.[power])
}
