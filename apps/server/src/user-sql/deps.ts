import type { Logger } from 'pino'
import type { ConnectionDeps } from '../connection/deps.ts'

/** Dependencies for reading user SQL. */
export interface UserSqlDeps extends ConnectionDeps {
  log: Logger
}
