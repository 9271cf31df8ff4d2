import { isTemplate } from '@parquetry/templates'
import type { CachedRun } from '../cache/run-cached.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { loadTableRulesOnce } from '../row-level-security/restrict-sql.ts'
import { holdsTemplates } from './render-query.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import type { PlannedQuery } from './run-query.ts'

/**
 * Matches SQL that reads the clock or yields another value each time; such results are found only through their plan. A false
 * match costs only time.
 */
const readsClock = new RegExp(
  [
    String.raw`\b(now|today|yesterday|tomorrow|now64|nowinblock|timeofday|sysdate|systimestamp|curdate|curtime)\b`,
    String.raw`\b(sys(utc)?datetime(offset)?|get(utc)?date|unix_timestamp|utc_(date|time|timestamp))\b`,
    String.raw`\b(current|local|clock|statement|transaction)_?(local)?(date|time|timestamp|datetime)\b`,
    String.raw`\bget_current_\w+`,
    String.raw`\b(age|rand|random|rand32|rand64|randomblob|newid|uuid\w*|gen_random_uuid|generateuuid\w*|nextval)\s*\(`,
    String.raw`\b(date|time|datetime|julianday|unixepoch|unix_timestamp|strftime)\s*\(\s*\)`,
  ].join('|'),
  'i',
)

/**
 * Tests if a response to a query context may be stored. Templates may depend on the requester and the clock, also those in rules
 * of the tables that the SQL of a dataset reads, and annotation layers contain other data.
 */
export async function isStorable(resolved: ResolvedQuery): Promise<boolean> {
  const isFixed = resolved.context.queries.every(
    (query) => (query.annotation_layers?.length ?? 0) === 0 && !holdsTemplates(resolved, query),
  )
  if (!isFixed || !resolved.dataset.sql) return isFixed
  const restricted = await loadTableRulesOnce(resolved.deps, resolved.database, resolved.principal)
  return !restricted.some(({ rules }) => rules.some(({ clause }) => isTemplate(clause)))
}

/** A planned query and its result. */
export interface RecordedRun {
  planned: PlannedQuery
  run: CachedRun
}

/** Periods in ms that are checked; they end at round times in every time zone. */
const expirySteps = [900_000, 60_000, 1000]

const expiryYielder = new EventLoopYielder()

/**
 * Returns how long the plans stay the same, in ms since 1970: to the end of the longest period at whose end they are unchanged.
 * Ranges only move forward with the clock, so they do not change in between.
 */
export async function computeExpiry(parts: readonly RecordedRun[], now: number): Promise<number> {
  const isStable = parts.every(
    ({ planned, run }) => run.isCached && !planned.plan.statements.some(({ text }) => readsClock.test(text)),
  )
  if (!isStable) return now
  for (const end of expirySteps.map((ms) => (Math.floor(now / ms) + 1) * ms))
    if (await areSameAt(parts, new Date(end - 1))) return end
  return now
}

async function areSameAt(parts: readonly RecordedRun[], time: Date): Promise<boolean> {
  for (const { planned } of parts) {
    await expiryYielder.yieldIfDue()
    if (!isSameAt(planned, time)) return false
  }
  return true
}

function isSameAt(planned: PlannedQuery, time: Date): boolean {
  const { plan, applied_filters, rejected_filters, from_dttm, to_dttm, ends_at, queryText } = planned
  const other = planned.planAt(time)
  return (
    queryText === other.queryText &&
    JSON.stringify([plan.statements, plan.steps, plan.joins, from_dttm, to_dttm, ends_at]) ===
      JSON.stringify([
        other.plan.statements,
        other.plan.steps,
        other.plan.joins,
        other.from_dttm,
        other.to_dttm,
        other.ends_at,
      ]) &&
    JSON.stringify([applied_filters, rejected_filters]) ===
      JSON.stringify([other.applied_filters, other.rejected_filters])
  )
}
