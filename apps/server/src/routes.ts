import { embeddedRoutes } from './embedded/routes.ts'
import { guestTokenRoutes } from './embedded/guest-token.ts'
import { legacyRoutes } from './legacy/routes.ts'
import { advancedDataTypeRoutes } from './advanced-data-type/routes.ts'
import { annotationLayerRoutes } from './annotation-layer/routes.ts'
import { chartDataRoutes } from './chart/data-routes.ts'
import { dashboardDataRoutes } from './dashboard/data-routes.ts'
import { chartRoutes } from './chart/chart-routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { databaseRoutes } from './database/routes.ts'
import { datasetRoutes } from './dataset/routes.ts'
import { datasourceRoutes } from './dataset/datasource-routes.ts'
import { cssTemplateRoutes } from './css-template/routes.ts'
import type { Deps } from './deps.ts'
import { exploreRoutes } from './explore/routes.ts'
import { logRoutes } from './log/routes.ts'
import { queryRoutes } from './query/routes.ts'
import { savedQueryRoutes } from './saved-query/routes.ts'
import { timeRangeRoutes } from './time-range/routes.ts'
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
  databaseRoutes,
  datasetRoutes,
  datasourceRoutes,
  chartRoutes,
  dashboardRoutes,
  exploreRoutes,
  savedQueryRoutes,
  queryRoutes,
  logRoutes,
  timeRangeRoutes,
  chartDataRoutes,
  dashboardDataRoutes,
  sqllabRoutes,
  cssTemplateRoutes,
  annotationLayerRoutes,
  advancedDataTypeRoutes,
  embeddedRoutes,
  guestTokenRoutes,
  legacyRoutes,
]
