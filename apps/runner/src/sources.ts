import type { Socket } from 'node:net'
import {
  dialAddresses,
  loadDriver,
  loadEmbeddedDriver,
  type Instance,
  type InstanceLimits,
  createTunnels,
  type OpenTunnel,
  type Session,
  type Tunnels,
} from '@parquetry/engines/drivers'
import type { EmbeddedTable, InspectedStatement, Limits, Source, Statement, Tunnel } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { spliceLimit } from '@parquetry/sql'
import { Guard } from './guard.ts'
import { CachedRollups } from './cached-rollups.ts'
import { withTableNames } from './with-table-names.ts'
import { withStatementNumber } from './with-statement-number.ts'
import { limitRows, applyRowLimit } from './row-limit.ts'

type Embedded = Extract<Source, { kind: 'embedded' }>
type Network = Extract<Source, { kind: 'network' }>

interface OpenInstance {
  instance: Instance
  guard: Guard
}

/** The databases that this process reads: embedded ones stay open, network ones are connected for each job. */
export class Sources {
  #limits: InstanceLimits
  #opened = new Map<string, Promise<OpenInstance>>()
  #tunnels: Promise<Tunnels> | null = null
  /** Rollups of the only embedded source that a process has. */
  readonly rollups = new CachedRollups()

  constructor(limits: InstanceLimits) {
    this.#limits = limits
  }

  get limits(): InstanceLimits {
    return this.#limits
  }

  async open(source: Embedded): Promise<readonly { table: string; message: string }[]> {
    return (await this.#embedded(source)).instance.broken()
  }

  async setTables(id: string, tables: EmbeddedTable[]): Promise<readonly { table: string; message: string }[]> {
    const opened = await this.#opened.get(id)
    if (!opened) throw new AppError('internal', { message: 'This runner has not opened this source.' })
    this.rollups.clear()
    await opened.instance.setTables(tables)
    this.rollups.clear()
    return opened.instance.broken()
  }

  async setMemoryLimit(memoryLimitMb: number): Promise<void> {
    this.#limits = { ...this.#limits, memoryLimitMb }
    for (const opened of this.#opened.values()) await (await opened).instance.setMemoryLimit(memoryLimitMb)
  }

  /** Returns the parser of the engine, for the inspector. */
  async parser(id: string): Promise<(sql: string) => Promise<string>> {
    const opened = await this.#opened.get(id)
    if (!opened)
      throw new AppError('unsupported', {
        message: message('errors.runner.noParser', 'DuckDB SQL can only be parsed by the runner of its database.'),
      })
    return (sql) => opened.instance.parse(sql)
  }

  /**
   * Returns a session, and the statements to run on it. On an embedded source every text passes the guard first, as a second
   * check behind that of the server. A text that allows a limit gets one, because the engine holds a whole result before the
   * first row is read, unless the result is long enough to be streamed.
   */
  async session(
    source: Source,
    statements: readonly Statement[],
    { rows, timeoutMs }: Pick<Limits, 'rows' | 'timeoutMs'>,
  ): Promise<{ session: Session; statements: readonly Statement[] }> {
    if (source.kind === 'network') {
      const driver = await loadDriver(source.engine)
      const { settings, schema, catalog, user, server_cert: serverCert, tunnel, addresses } = source
      const session = await driver.open(settings, {
        schema,
        catalog,
        ...(user !== undefined && { user }),
        timeoutMs,
        allowDml: source.allow_dml === true,
        serverCert,
        unverifiedTls: source.unverified_tls === true,
        dial: () => this.#dial(source),
        routeKey: JSON.stringify([addresses, tunnel]),
      })
      return { session, statements }
    }
    const { instance, guard } = await this.#embedded(source)
    const checked: InspectedStatement[] = []
    for (const [at, { text }] of statements.entries())
      checked.push(await withStatementNumber(at, statements.length, () => guard.check(text)))
    const session = withTableNames(await instance.session(), listReadTables(checked, instance.views()))
    const [first, second] = statements
    if (first && !second) {
      const { text, after } = applyRowLimit(first.text, checked[0]!, rows, instance.streamedFromRows)
      return {
        session: after === null ? session : limitRows(session, after),
        statements: [{ ...first, text }],
      }
    }
    const limited = statements.map((one, index) => ({ ...one, text: spliceLimit(one.text, checked[index]!, rows + 1) }))
    return { session, statements: limited }
  }

  /** Checks statements that read a table which their session has made. @throws AppError as `session` */
  async checkOwn(source: Embedded, statements: readonly Statement[], table: string): Promise<void> {
    const { guard } = await this.#embedded(source)
    for (const { text } of statements) await guard.check(text, table)
  }

  /** Opens a socket to a network source and closes it. @returns the fingerprint of the tunnel's server */
  async reach(source: Source): Promise<string | null> {
    if (source.kind === 'embedded') throw new AppError('unsupported')
    const socket = await this.#dial(source)
    socket.destroy()
    return source.tunnel ? (await this.#tunnel(source, source.tunnel)).hostKey : null
  }

  async close(): Promise<void> {
    this.rollups.clear()
    await (await this.#tunnels)?.close()
    for (const opened of this.#opened.values()) (await opened).instance.close()
    this.#opened.clear()
  }

  async #dial(source: Network): Promise<Socket> {
    if (source.tunnel) return (await this.#tunnel(source, source.tunnel)).dial()
    return dialAddresses(source.addresses ?? [], Number(source.settings['port']))
  }

  async #tunnel({ addresses = [], settings }: Network, tunnel: Tunnel): Promise<OpenTunnel> {
    this.#tunnels ??= createTunnels()
    const target = { host: String(settings['host']), port: Number(settings['port']) }
    return (await this.#tunnels).get(tunnel, addresses, target)
  }

  #embedded(source: Embedded): Promise<OpenInstance> {
    const known = this.#opened.get(source.id)
    if (known) return known
    const opened = this.#start(source)
    this.#opened.set(source.id, opened)
    opened.catch(() => this.#opened.delete(source.id))
    return opened
  }

  async #start({ engine, folder, tables }: Embedded): Promise<OpenInstance> {
    const driver = await loadEmbeddedDriver(engine)
    const instance = await driver.open(folder, tables, this.#limits)
    return { instance, guard: new Guard(instance) }
  }
}

/** Returns the tables that the statements read, without duplicates. */
function listReadTables(statements: readonly InspectedStatement[], views: readonly string[]): string[] {
  const read = new Set(statements.flatMap(({ tables }) => tables.map(({ name }) => name.toLowerCase())))
  return views.filter((name) => read.has(name.toLowerCase()))
}
