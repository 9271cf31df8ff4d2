import { labelOfMetric, type QueryMetric } from '@parquetry/model'
import type { Look } from '../define.ts'
import { sayIn } from '../resolve/words.ts'
import { textId } from '../text-id.ts'
import type { PivotAxis, PivotSettings } from './spec.ts'

/** Aggregates that are the same of parts as of the whole, by what a metric computes. */
const additive: Record<string, RegExp> = {
  Sum: /^(SUM|COUNT)$/,
  Minimum: /^MIN$/,
  Maximum: /^MAX$/,
}
/** What they say of the values is about the values alone. */
const aboutValues = /^(Count|Count Unique Values|List Unique Values|First|Last|Count as Fraction of \w+)$/

/** What a reader must know of the totals: that they are of the shown values, where that is not the same as of the data. */
export function notesOf(
  settings: PivotSettings,
  { down, across, rows }: { down: PivotAxis; across: PivotAxis; rows: number },
  look: Look,
): string[] {
  const { aggregateFunction: aggregate, metrics, row_limit } = settings
  const isTotalled = [down, across].some(({ levels, hasTotal, subtotals }) => {
    const combining = levels.filter((level) => !('metrics' in level) || metrics.length > 1)
    return (hasTotal && combining.length > 0) || (subtotals !== 'none' && levels.length > 1)
  })
  const say = sayIn(look)
  const notes: string[] = []
  const isCut = row_limit > 0 && rows >= row_limit
  if (isCut)
    notes.push(
      say('picture.pivot.cut', 'The cell limit of {count, number} is reached: there may be more than is shown here.', {
        count: row_limit,
      }),
    )
  if (isCut && isTotalled) notes.push(say('picture.pivot.cutTotals', 'Totals are of the shown cells only.'))
  const isMixed =
    metrics.length > 1 &&
    (settings.metricsLayout === 'ROWS'
      ? settings.colTotals || (settings.combineMetric && settings.rowSubTotals)
      : settings.rowTotals || (settings.combineMetric && settings.colSubTotals))
  if (isMixed) notes.push(say('picture.pivot.mixed', 'Totals over several metrics take their values together.'))
  if (!isTotalled || aboutValues.test(aggregate)) return notes
  const base = aggregate.replace(/ as Fraction of .*/, '')
  const misleading = metrics.filter((metric) => isMisleading(metric, base, look)).map(labelOfMetric)
  if (misleading.length > 0)
    notes.push(
      say(
        'picture.pivot.ofShown',
        'Totals of {metrics} are of the shown values ({aggregate}), not of the data behind them.',
        { metrics: misleading.map((name) => look.verbose(name)).join(', '), aggregate: say(textId(base), base) },
      ),
    )
  return notes
}

/** Of a saved metric whose SQL is not known nothing is said. */
function isMisleading(metric: QueryMetric, aggregate: string, look: Look): boolean {
  const sql = typeof metric === 'string' ? look.expressionOf(metric) : (metric.sqlExpression ?? '')
  if (sql === null) return false
  const isSimple = typeof metric !== 'string' && metric.expressionType !== 'SQL'
  const computed = isSimple ? (metric.aggregate ?? '') : aggregateOf(sql)
  return !(additive[aggregate]?.test(computed) ?? false)
}

/** The one aggregate that an expression consists of; empty where it is anything else. */
function aggregateOf(sql: string): string {
  const [, name = '', inside = ''] = /^\s*(\w+)\s*\(([^()]*)\)\s*$/.exec(sql) ?? []
  return /^\s*distinct\b/i.test(inside) ? '' : name.toUpperCase()
}
