import type { Engine } from './engine.ts'
import { clickhouse } from './clickhouse/engine.ts'
import { duckdb } from './duckdb/engine.ts'
import { mysql } from './mysql/engine.ts'
import { postgres } from './postgres/engine.ts'
import { sqlite } from './sqlite/engine.ts'
import { trino } from './trino/engine.ts'

export type { Engine } from './engine.ts'
export { secretMask } from './uri.ts'

/** All engines; the default comes first. */
export const engines: readonly Engine[] = [duckdb, postgres, mysql, sqlite, trino, clickhouse]

/**
 * Finds an engine by our name (`postgresql`), else by a scheme of its URIs, which API clients use as names too (`clickhousedb`).
 */
export const engineOf = (name: string): Engine | undefined =>
  engines.find((engine) => engine.name === name) ?? engines.find(({ schemes }) => schemes.includes(name))

/** Finds the engine by the scheme of a `sqlalchemy_uri`. */
export function findEngineByUri(uri: string): Engine | undefined {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  return engines.find(({ schemes }) => scheme !== undefined && schemes.includes(scheme))
}
