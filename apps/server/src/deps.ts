import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Cache } from './cache/cache.ts'
import type { ExampleProgress } from './examples/load-examples.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { PubSub } from './jobs/pub-sub.ts'
import type { ResultStore } from './jobs/result-store.ts'
import type { Keys } from './store/keys.ts'
import type { Tables } from './store/tables.ts'
import type { Runners } from './runners/runners.ts'
import type { Settings } from './settings.ts'

/** What use cases are given. Made once in `start.ts`, by tests in `testing.ts`. */
export interface Deps {
  settings: Settings
  db: Kysely<Tables>
  keys: Keys
  runners: Runners
  cache: Cache
  jobs: JobQueue
  /** News of jobs and queries, on the channel of the user who asked. */
  events: PubSub
  /** Results of SQL Lab, kept for a day. */
  results: ResultStore
  log: Logger
  /** How far the example dashboards are; pages show it while they load. */
  examples: ExampleProgress
  /** The clock, so that tests can set it. */
  now(): Date
}
