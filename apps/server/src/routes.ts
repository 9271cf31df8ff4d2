import { advancedDataTypeRoutes } from './advanced-data-type/routes.ts'
import { annotationLayerRoutes } from './annotation-layer/routes.ts'
import { eventRoutes } from './async-event/routes.ts'
import { exportRoutes } from './bundle/export-routes.ts'
import { importRoutes } from './bundle/import-routes.ts'
import { chartDataRoutes } from './chart/data-routes.ts'
import { dashboardDataRoutes } from './dashboard/data-routes.ts'
import { chartRoutes } from './chart/chart-routes.ts'
import { warmUpRoutes } from './chart/warm-up-routes.ts'
import { channelRoutes } from './channel/routes.ts'
import { embeddingRoutes } from './dashboard/embedding.ts'
import { fileRoutes } from './dashboard/file-routes.ts'
import { filterSetRoutes } from './dashboard/filter-set-routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { metadataRoutes } from './database/metadata-routes.ts'
import { databaseRoutes } from './database/routes.ts'
import { datasetRoutes } from './dataset/routes.ts'
import { registerDatasetEditorRoutes } from './dataset-editor/routes.ts'
import { datasourceRoutes } from './datasource/routes.ts'
import { sqllabVizRoutes } from './dataset/sqllab-viz-routes.ts'
import { cssTemplateRoutes } from './css-template/routes.ts'
import { themeRoutes } from './theme/routes.ts'
import { dynamicPluginRoutes } from './dynamic-plugin/routes.ts'
import { subjectRoutes } from './subject/routes.ts'
import { userRoutes } from './user/routes.ts'
import { userRegistrationRoutes } from './user-registration/routes.ts'
import { userGroupRoutes } from './user-group/routes.ts'
import { rowLevelSecurityRuleRoutes } from './row-level-security-rule/routes.ts'
import { exploreRoutes } from './explore/routes.ts'
import { exploreJsonRoutes } from './explore-json/routes.ts'
import { explorePageRoutes } from './explore/page-routes.ts'
import { savedFormRoutes } from './explore/saved-form.ts'
import { sharingRoutes } from './sharing/routes.ts'
import { logRoutes } from './log/routes.ts'
import { legacyDashboardRoutes } from './legacy/dashboard-routes.ts'
import { legacyChartDataRoutes } from './legacy/data-routes.ts'
import { modelListRoutes } from './legacy/model-lists.ts'
import { userListRoutes } from './legacy/user-lists.ts'
import { savedQueryRoutes } from './saved-query/routes.ts'
import { tagRoutes } from './tag/routes.ts'
import { taskRoutes } from './task/routes.ts'
import { trashedRoutes } from './history/trash-routes.ts'
import { versionRoutes } from './history/version-routes.ts'
import { notificationRoutes } from './notification/routes.ts'
import { kvRoutes } from './kv/routes.ts'
import { tabStateRoutes } from './tab-state/routes.ts'
import { pictureRoutes } from './picture/routes.ts'
import { screenshotRoutes } from './picture/screenshot-routes.ts'
import { previewRoutes } from './picture/preview-routes.ts'
import { timeRangeRoutes } from './time-range/routes.ts'
import { uploadRoutes } from './upload/routes.ts'
import type { App } from './http/app.ts'
import { legacyFavoriteRoutes } from './http/favorites.ts'
import { healthRoutes } from './monitoring/health.ts'
import { metricsRoutes } from './monitoring/metrics.ts'
import { openApiRoutes } from './open-api/routes.ts'
import type { PageDeps } from './page/deps.ts'
import { pageRoutes } from './page/routes.ts'
import { guestTokenRoutes } from './security/guest-token.ts'
import { permissionRoutes } from './permission/routes.ts'
import { roleRoutes } from './role/routes.ts'
import { securityRoutes } from './security/routes.ts'
import type { ReportDeps } from './report/deps.ts'
import { reportRunRoutes } from './report/run/routes.ts'
import { reportRoutes } from './report/routes.ts'
import type { SqllabDeps } from './sqllab/deps.ts'
import { historyRoutes } from './sqllab/history-routes.ts'
import { sqllabRoutes } from './sqllab/routes.ts'
import { sqllabToolRoutes } from './sqllab/tools-routes.ts'
import { validateRoutes } from './sqllab/validate-routes.ts'

/** Dependencies of all routes. Created once in `start.ts`, and by tests in `testing.ts`. */
export interface Deps extends ReportDeps, PageDeps, SqllabDeps {}

/** All folders with routes, one per line. */
export const routes: readonly ((app: App, deps: Deps) => void)[] = [
  healthRoutes,
  metricsRoutes,
  openApiRoutes,
  pageRoutes,
  securityRoutes,
  guestTokenRoutes,
  permissionRoutes,
  roleRoutes,
  databaseRoutes,
  uploadRoutes,
  metadataRoutes,
  datasetRoutes,
  registerDatasetEditorRoutes,
  datasourceRoutes,
  sqllabVizRoutes,
  chartRoutes,
  dashboardRoutes,
  fileRoutes,
  filterSetRoutes,
  embeddingRoutes,
  sharingRoutes,
  versionRoutes,
  trashedRoutes,
  legacyChartDataRoutes,
  legacyDashboardRoutes,
  modelListRoutes,
  userListRoutes,
  exploreRoutes,
  explorePageRoutes,
  savedFormRoutes,
  savedQueryRoutes,
  tagRoutes,
  logRoutes,
  timeRangeRoutes,
  legacyFavoriteRoutes,
  exportRoutes,
  importRoutes,
  chartDataRoutes,
  warmUpRoutes,
  exploreJsonRoutes,
  dashboardDataRoutes,
  pictureRoutes,
  previewRoutes,
  screenshotRoutes,
  sqllabRoutes,
  historyRoutes,
  sqllabToolRoutes,
  validateRoutes,
  tabStateRoutes,
  kvRoutes,
  cssTemplateRoutes,
  themeRoutes,
  dynamicPluginRoutes,
  rowLevelSecurityRuleRoutes,
  userRoutes,
  userGroupRoutes,
  userRegistrationRoutes,
  subjectRoutes,
  annotationLayerRoutes,
  advancedDataTypeRoutes,
  eventRoutes,
  taskRoutes,
  channelRoutes,
  notificationRoutes,
  reportRoutes,
  reportRunRoutes,
]
