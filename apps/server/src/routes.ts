import { chartDataRoutes } from './chart/data-routes.ts'
import { dashboardDataRoutes } from './dashboard/data-routes.ts'
import type { Deps } from './deps.ts'
import type { App } from './http/app.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoutes } from './http/metrics.ts'
import { openApiRoutes } from './page/open-api.ts'
import { pageRoutes } from './page/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { sqllabRoutes } from './sqllab/routes.ts'

/** Every folder with routes, one line each. */
export const routes: readonly ((app: App, deps: Deps) => void)[] = [
  healthRoutes,
  metricsRoutes,
  openApiRoutes,
  pageRoutes,
  securityRoutes,
  chartDataRoutes,
  dashboardDataRoutes,
  sqllabRoutes,
]
