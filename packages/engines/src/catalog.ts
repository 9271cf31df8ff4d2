import type { Engine } from './engine.ts'
import { clickhouse } from './clickhouse/engine.ts'
import { duckdb } from './duckdb/engine.ts'
import { mysql } from './mysql/engine.ts'
import { postgres } from './postgres/engine.ts'
import { sqlite } from './sqlite/engine.ts'
import { trino } from './trino/engine.ts'
import { unsupportedEngine } from './unsupported/engine.ts'

/** All engines; the default comes first. */
export const engines: readonly Engine[] = [duckdb, postgres, mysql, sqlite, trino, clickhouse]

/**
 * Finds an engine by our name (`postgresql`), else by a scheme of its URIs, which API clients use as names too (`clickhousedb`).
 */
export const engineOf = (name: string): Engine | undefined =>
  engines.find((engine) => engine.name === name) ?? engines.find(({ schemes }) => schemes.includes(name))

/** Scheme of a URI, in lower case; undefined for other text. */
export const schemeOf = (uri: string): string | undefined =>
  /^\s*([a-z][a-z0-9+._-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()

/** Finds the engine by the scheme of a `sqlalchemy_uri`. */
export function findEngineByUri(uri: string): Engine | undefined {
  const scheme = schemeOf(uri)
  return engines.find(
    ({ schemes, otherProduct }) => scheme !== undefined && schemes.includes(scheme) && !otherProduct?.(uri),
  )
}

/**
 * Finds the engine of an imported address, also one that is not supported. Undefined for text that is not an address.
 */
export function findImportedEngine(uri: string): Engine | undefined {
  const found = findEngineByUri(uri)
  const scheme = schemeOf(uri)
  if (found || scheme === undefined) return found
  const similar = engines.find(({ schemes }) => schemes.includes(scheme))
  const backend = scheme.replace(/\+.*/, '')
  // A driver of a supported engine that we cannot replace keeps its whole name, because `backend` means our engine.
  return unsupportedEngine(similar?.otherProduct?.(uri) ?? (engineOf(backend) ? scheme : backend))
}
