import type { Described, Describe, Limits, Statement } from '@parquetry/model'
import type { Dialect } from '@parquetry/query'
import type { Frame } from '@parquetry/frame'
import type { TObject } from 'typebox'

/** What the rest of the product knows of a database, without its driver. One folder each; see docs/architecture.md. */
export interface Engine {
  /** Our name and the API's `backend`/`engine`: `postgresql`, `duckdb`. */
  name: string
  title: string
  /** `embedded` sources run in a runner of their own; `network` ones share a pool of runners. */
  kind: 'embedded' | 'network'
  dialect: Dialect
  /** Schema of the settings: draws the connect form; a property with `secret: true` is stored encrypted and masked. */
  settings: TObject
  /** Schemes that a `sqlalchemy_uri` of this engine may begin with (`postgresql`, `postgresql+psycopg2`, `postgres`). */
  schemes: readonly string[]
  /** Settings from a URI. @throws AppError `bad_request` with the field at fault */
  fromUri(uri: string): Record<string, unknown>
  /** URI from settings, the password as `XXXXXXXXXX` when `masked`. */
  toUri(settings: Record<string, unknown>, masked: boolean): string
}

/** The vendor's side: imported only by runners, through `@parquetry/engines/drivers`. */
export interface Driver {
  engine: string
  /** @throws AppError `connection_*` */
  open(settings: Record<string, unknown>, context: { schema: string | null; timeoutMs: number }): Promise<Session>
}

/** One connection. Statements of one job run in order on one session; a session is reset or closed before another user's job. */
export interface Session {
  /**
   * Runs one statement and gives frames of at most 2,048 rows with one schema, stopping after `limits.rows + 1` rows.
   * A statement that gives no rows gives one frame of zero rows with its columns.
   * @throws AppError with the engine's message; `details: { line, column, offset }` where the engine tells the position
   */
  run(statement: Statement, limits: Limits): AsyncIterable<Frame>
  /** Ends what runs now; safe to call at any time, also when nothing runs. */
  cancel(): Promise<void>
  describe(what: Describe): Promise<Described>
  close(): Promise<void>
}
