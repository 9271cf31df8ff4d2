import type { Logger } from 'pino'
import type { ConnectionDeps } from '../connection/deps.ts'

/** What reading users' SQL takes. */
export interface UserSqlDeps extends ConnectionDeps {
  log: Logger
}
