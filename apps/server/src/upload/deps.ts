import type { Logger } from 'pino'
import type { ConnectionDeps } from '../connection/deps.ts'

/** What making tables of files takes. */
export interface UploadDeps extends ConnectionDeps {
  log: Logger
}
