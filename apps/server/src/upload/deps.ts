import type { Logger } from 'pino'
import type { ConnectionDeps } from '../connection/deps.ts'

/** Dependencies for creating tables from files. */
export interface UploadDeps extends ConnectionDeps {
  log: Logger
}
