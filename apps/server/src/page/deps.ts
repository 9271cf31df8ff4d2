import type { ExampleProgress } from '@parquetry/model'
import type { HttpDeps } from '../http/app.ts'

/** What making pages takes. */
export interface PageDeps extends HttpDeps {
  /** Pages show it while they load. */
  examples: ExampleProgress
}
