import type { Message } from '@parquetry/model/message'
import type { Dialect } from '@parquetry/query'
import type { TObject } from 'typebox'
import type { UriParts } from './uri.ts'

/** Everything the rest of the product knows about a database, without its driver. One folder each; see docs/architecture.md. */
export interface Engine {
  /** Our name and the API's `backend`/`engine`: `postgresql`, `duckdb`. */
  name: string
  title: string
  /** Each `embedded` source runs in a dedicated runner; `network` sources share a pool of runners. */
  kind: 'embedded' | 'network'
  /** No driver can connect to this product. Its connections are stored and shown, and never opened. */
  isUnsupported?: true
  /** Reads one local file, `path` of the settings; connects to no address. */
  isFileBased?: true
  dialect: Dialect
  /** Schema of a table that is named without one. */
  defaultSchema: string
  /** The same for engines where it is a setting of the connection and `defaultSchema` has no meaning. */
  schemaOf?(settings: Record<string, unknown>): string
  /**
   * The engine's own functions and types that only compute with their arguments, in lower case. Others are user-defined and may
   * read tables that a statement does not name, or reveal the catalog, so users who may read only some tables may not use them.
   * Omitted: users cannot create any that read, or the guard knows all that do.
   */
  safeNames?: Pick<ReadonlySet<string>, 'has'>
  /**
   * Statements that our parser does not know run for administrators: the parser lags behind the engine's own grammar, and the
   * engine cannot access files of this machine.
   */
  runsUnparsed?: true
  /**
   * Names under which templates find the partition macros (`trino.latest_partition`): the API's name of the engine and of those
   * whose templates it accepts. Omitted: the engine has no list of partitions.
   */
  partitionMacros?: readonly string[]
  supports: {
    /** Tables are grouped in catalogs, and a connection sees several (Trino). */
    catalogs: boolean
    /** Can estimate the cost of a statement before it runs. */
    estimate: boolean
    /** `CREATE TABLE ... AS` and `CREATE VIEW ... AS` run as statements of a session with write permission. */
    createAs: boolean
    /**
     * Can run statements as another user than the connection's account, and no statement can leave this impersonation (Trino).
     */
    impersonate: boolean
  }
  /**
   * Schema of the settings, from which the connection form is built; a property with `secret: true` is stored encrypted and
   * masked.
   */
  settings: TObject
  /** Schemes that a `sqlalchemy_uri` of this engine may begin with (`postgresql`, `postgresql+psycopg2`, `postgres`). */
  schemes: readonly string[]
  /** Names of drivers as the API lists them; the first is the default. */
  drivers: readonly string[]
  /**
   * Names allowed in the setting `query`, because the driver supports them; `session.*` matches all with this prefix. The server
   * rejects others. Omitted: none are allowed.
   */
  queryParameters?: readonly string[]
  /** Name of another product that a URI with one of the `schemes` belongs to. */
  otherProduct?(uri: string): string | undefined
  /**
   * Parameters of a URI with those that mean the setting `encryption`. Omitted: the URI itself has it, or the engine has no such
   * setting.
   */
  encryptedQuery?(query: Record<string, string>): Record<string, string>
  /** Explains parts of a URI of another installation that `fromUri` reads with another meaning. */
  describeUri?(parts: UriParts): Message[]
  /** Parameters beyond `queryParameters` that `describeUri` explains. */
  describedParameters?: readonly string[]
  /** Placeholder of the URI field. */
  uriExample: string
  /** Parses the settings from a URI. @throws AppError `bad_request` with the invalid field */
  fromUri(uri: string): Record<string, unknown>
  /** URI from settings, the password as `XXXXXXXXXX` when `masked`. */
  toUri(settings: Record<string, unknown>, masked: boolean): string
}
