import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Driver, EmbeddedDriver } from './shared/driver.ts'
import type { Tunnels } from './shared/tunnel.ts'

export { dialAddresses } from './shared/dial.ts'
export type { OpenTunnel, Tunnels } from './shared/tunnel.ts'
export type { FileWriter, Instance, InstanceLimits, TempTable, Session } from './shared/driver.ts'

/** Vendor clients are loaded on first use: a runner of one engine never loads those of another. */
const network: Record<string, () => Promise<Driver>> = {
  mysql: async () => (await import('./mysql/driver.ts')).mysqlDriver,
  postgresql: async () => (await import('./postgres/driver.ts')).postgresDriver,
  clickhouse: async () => (await import('./clickhouse/driver.ts')).clickhouseDriver,
  sqlite: async () => (await import('./sqlite/driver.ts')).sqliteDriver,
  trino: async () => (await import('./trino/driver.ts')).trinoDriver,
}
const embedded: Record<string, () => Promise<EmbeddedDriver>> = {
  duckdb: async () => (await import('./duckdb/driver.ts')).duckdbDriver,
}

/** @throws AppError `unsupported` for an engine without a driver */
export const loadDriver = (engine: string): Promise<Driver> => loadFrom(network, engine)

/** @throws AppError `unsupported` for an engine that is not embedded */
export const loadEmbeddedDriver = (engine: string): Promise<EmbeddedDriver> => loadFrom(embedded, engine)

function loadFrom<T>(drivers: Record<string, () => Promise<T>>, engine: string): Promise<T> {
  const load = Object.hasOwn(drivers, engine) ? drivers[engine] : undefined
  if (!load)
    throw new AppError('unsupported', {
      message: message('errors.engines.noDriver', 'No driver is available for the engine "{engine}".', { engine }),
    })
  return load()
}

/** Creates the tunnels of this process; the SSH client is loaded only then. */
export const createTunnels = async (): Promise<Tunnels> => new (await import('./shared/tunnel.ts')).Tunnels()
