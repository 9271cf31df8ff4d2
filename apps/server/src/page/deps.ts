import type { ExampleProgress } from '@parquetry/model'
import type { HttpDeps } from '../http/app.ts'

/** Dependencies of the page routes. */
export interface PageDeps extends HttpDeps {
  /** Shown by pages while the examples load. */
  examples: ExampleProgress
}
