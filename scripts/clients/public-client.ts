import type { Tool } from '../services/tool.ts'
import type { RecordedCall } from './recorder.ts'
import type { createApiClient } from '../../apps/web/journeys/product.ts'

/** Tools of the checks of one client. */
export interface CheckContext {
  /** Address of a product with the examples. All calls to it are recorded. */
  url: string
  /** Address of the same product, without recording. */
  directUrl: string
  /** The calls so far. */
  calls: readonly RecordedCall[]
  /** Calls that prepare objects, or read what the client changed. They are not recorded. */
  api: Awaited<ReturnType<typeof createApiClient>>
  /** Path of the client's program. */
  program: string
  /** An empty folder. */
  folder: string
  /** Runs a check. A check fails by throwing. Later checks run all the same. */
  check(title: string, run: () => Promise<void>): Promise<void>
}

/** A client that was written for other servers of this API. */
export interface PublicClient {
  name: string
  version: string
  tool: Tool
  /** False if its calls are random, or those of a page as well, so that the test suite need not replay every one. */
  isReplayed: boolean
  /** Prepares the product, then runs the checks. */
  run(context: CheckContext): Promise<void>
  /** Features of the client that are not checked, each with the reason. */
  notCovered: readonly string[]
}
