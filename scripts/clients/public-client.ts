import type { Tool } from '../services/tool.ts'
import type { RecordedCall } from './recorder.ts'
import type { createApiClient } from '../../apps/web/journeys/product.ts'

/** Everything that the checks of one client use. */
export interface CheckContext {
  /** Address of a server with the examples. All calls to it are recorded. */
  url: string
  /** Address of the same server, without recording. */
  directUrl: string
  /** The calls so far. */
  calls: readonly RecordedCall[]
  /** API client of the checks, which prepares objects and reads what the client changed. Its calls are not recorded. */
  api: Awaited<ReturnType<typeof createApiClient>>
  /** Path of the client's program. */
  program: string
  /** An empty folder. */
  folder: string
  /** Runs a check, which fails by throwing. Later checks run even if it fails. */
  check(title: string, run: () => Promise<void>): Promise<void>
}

/** A client that was written for other servers of this API. */
export interface PublicClient {
  name: string
  version: string
  tool: Tool
  /** False if its calls are random or include those of a page. The test suite then does not need to replay every kind of call. */
  isReplayed: boolean
  /** Prepares the server, then runs the checks. */
  run(context: CheckContext): Promise<void>
  /** Features of the client that are not checked, each with the reason. */
  notCovered: readonly string[]
}
