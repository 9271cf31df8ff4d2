import type { Dialect } from '@parquetry/query'
import type { TObject } from 'typebox'

/** What the rest of the product knows of a database, without its driver. One folder each; see docs/architecture.md. */
export interface Engine {
  /** Our name and the API's `backend`/`engine`: `postgresql`, `duckdb`. */
  name: string
  title: string
  /** `embedded` sources run in a runner of their own; `network` ones share a pool of runners. */
  kind: 'embedded' | 'network'
  /** Reads one file of this machine, `path` of the settings; no address is connected to. */
  isFileBased?: true
  dialect: Dialect
  /** Schema of a table that is named without one. */
  defaultSchema: string
  /** The same, where it is a setting of the connection and `defaultSchema` means nothing. */
  schemaOf?(settings: Record<string, unknown>): string
  /**
   * The engine's own functions and types that compute with what they are given, in lower case. Others are made by people and
   * read tables that no text names, or tell of the catalogue; so whoever may read some tables only may not use them. Left out:
   * nobody can make any that read, or the guard knows all that do.
   */
  safeNames?: Pick<ReadonlySet<string>, 'has'>
  /**
   * A statement that our reader does not know runs for administrators: the reader is not the engine's own grammar, so it
   * lags behind, and the engine reaches no file of this machine.
   */
  runsUnparsed?: true
  /**
   * Names under which templates find the macros about partitions (`trino.latest_partition`): the API's name of the engine and
   * of those that it takes texts over from. Left out: the engine keeps no list of them.
   */
  partitionMacros?: readonly string[]
  supports: {
    /** Tables stand in catalogs, and a connection sees several (Trino). */
    catalogs: boolean
    /** Knows what a statement would cost before it runs. */
    estimate: boolean
    /** `CREATE TABLE ... AS` and `CREATE VIEW ... AS` run as statements of a session that may write. */
    createAs: boolean
    /** Takes the name of a person for whom the connection's account asks, and nothing in a text can leave it (Trino). */
    impersonate: boolean
  }
  /** Schema of the settings: draws the connect form; a property with `secret: true` is stored encrypted and masked. */
  settings: TObject
  /** Schemes that a `sqlalchemy_uri` of this engine may begin with (`postgresql`, `postgresql+psycopg2`, `postgres`). */
  schemes: readonly string[]
  /** Names of drivers as the API lists them; the first is said where a connection names none. */
  drivers: readonly string[]
  /**
   * Names that the setting `query` may hold, because the driver knows what they do; `session.*` stands for all that begin so.
   * The server refuses others. Left out: the engine takes none.
   */
  queryParameters?: readonly string[]
  /** What the field of a URI shows while it is empty. */
  uriExample: string
  /** Settings from a URI. @throws AppError `bad_request` with the field at fault */
  fromUri(uri: string): Record<string, unknown>
  /** URI from settings, the password as `XXXXXXXXXX` when `masked`. */
  toUri(settings: Record<string, unknown>, masked: boolean): string
}
