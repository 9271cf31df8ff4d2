import { subjectRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serveReading } from '../http/serve-resource.ts'
import { subjectResource } from './subject-resource.ts'

/** `/api/v1/security/subject/` */
export function subjectRoutes(app: App): void {
  serveReading(app, routes, subjectResource)
}
