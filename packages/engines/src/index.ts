import type { Engine } from './engine.ts'
import { clickhouse } from './clickhouse/engine.ts'
import { duckdb } from './duckdb/engine.ts'
import { mysql } from './mysql/engine.ts'
import { postgres } from './postgres/engine.ts'
import { sqlite } from './sqlite/engine.ts'
import { trino } from './trino/engine.ts'

export type { Engine } from './engine.ts'
export { secretMask } from './uri.ts'

/** Every engine by its name; the default first. */
export const engines: readonly Engine[] = [duckdb, postgres, mysql, sqlite, trino, clickhouse]

/** By our name (`postgresql`), else by a scheme of its URIs, which clients of the API name too (`clickhousedb`). */
export const engineOf = (name: string): Engine | undefined =>
  engines.find((engine) => engine.name === name) ?? engines.find(({ schemes }) => schemes.includes(name))

/** The engine that a `sqlalchemy_uri` names by its scheme. */
export function findEngineByUri(uri: string): Engine | undefined {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  return engines.find(({ schemes }) => scheme !== undefined && schemes.includes(scheme))
}
