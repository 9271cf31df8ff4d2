export { findClauseProblem, closeClause, readsTable } from './sql/check-sql-text.ts'
export { boundText, hasBackslash, sql, Sql } from './sql/sql.ts'
export { inlineValues } from './sql/render.ts'
export { ansi, extendDialect, type Dialect, type RollupTypeRules } from './sql/dialect.ts'
export { resolveTimeRange } from './time-range/resolve-time-range.ts'
export { createComparisonPeriod, type ComparisonPeriod } from './time-range/comparison-period.ts'
export { formatLocalIso } from './time-range/naive-time.ts'
export { readQueryContext, readSavedContext } from './read/read-query-context.ts'
export { joinRuleClauses, restrict, type RowLevelSecurityRule } from './row-level-security.ts'
export { plan, type QueryPlan } from './plan/plan.ts'
export { planProbes } from './plan/probes.ts'
export { findRangeText } from './plan/range-text.ts'
export type { PlanContext } from './plan/scope.ts'
export { parseGenericType } from './plan/column-kind.ts'
export { checkMetricsExist } from './plan/metrics.ts'
export { computeColtypes, describeColumns, listTimeGrains } from './describe.ts'
export {
  planSizeEstimate,
  isCoveredBy,
  planCachedRollups,
  planScanFrom,
  planScan,
  planScans,
  type CachedRollup,
  type ScanPlan,
} from './shared-scans/plan-scans.ts'
export { isMetadataOnly, deferFilters, type ShareableQuery } from './shared-scans/shareable-query.ts'
export { hasRollupSafeTypes } from './shared-scans/rollup-safe-types.ts'
export type { SizeEstimates, SizeEstimateRow } from './shared-scans/size-estimates.ts'
export { rollupTable } from './shared-scans/rollup-table.ts'
