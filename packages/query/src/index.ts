export { clauseProblem, closedText } from './sql/check-sql-text.ts'
export { sql, Sql } from './sql/sql.ts'
export { inline } from './sql/render.ts'
export { ansi, extendDialect, type Dialect, type LevelTypes } from './sql/dialect.ts'
export { resolveTimeRange } from './time-range/resolve-time-range.ts'
export { earlierBy, type Earlier } from './time-range/earlier.ts'
export { localIso } from './time-range/naive-time.ts'
export { readQueryContext, readSavedContext } from './read/read-query-context.ts'
export { restrict, type RowRule } from './restrict.ts'
export { plan, type Planned } from './plan/plan.ts'
export { probes } from './plan/probes.ts'
export type { PlanContext } from './plan/scope.ts'
export { genericTypeOf } from './plan/kind-of-column.ts'
export { checkMetricsExist } from './plan/metrics.ts'
export { coltypes, describeColumns, timeGrains } from './describe.ts'
export {
  askSizes,
  isAnsweredBy,
  levelsToKeep,
  passFrom,
  passOf,
  sharePasses,
  type KeptLevel,
  type SharedPass,
} from './share/share.ts'
export { isKnownBeforehand, widened, type Shareable } from './share/shareable.ts'
export { hasFittingTypes } from './share/fitting-types.ts'
export type { Sizes, SizesRow } from './share/sizes.ts'
export { levelTable } from './share/level-table.ts'
