import { labelOfMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { classifyAggregate, type AggregateKind } from '../shared/aggregate-kind.ts'
import { aggregateText } from './aggregate-text.ts'
import type { PivotAxis, PivotLevel, PivotSettings } from './spec.ts'

/** Aggregates whose totals are correct for metrics of a kind: aggregating the parts gives the value of the whole. */
const wholes: Record<string, AggregateKind> = { Sum: 'sum', Minimum: 'least', Maximum: 'most' }
/** Aggregates that only describe the shown values. */
const aboutValues = /^(Count|Count Unique Values|List Unique Values|First|Last|Count as Fraction of \w+)$/

/**
 * Returns notes about the totals, such as that they are calculated from the shown values where the underlying data would give
 * other results.
 */
export function listPivotNotes(
  settings: PivotSettings,
  { down, across, rows }: { down: PivotAxis; across: PivotAxis; rows: number },
  context: SpecContext,
): string[] {
  const { aggregateFunction: aggregate, metrics, row_limit } = settings
  const isTotalled = [down, across].some(({ levels, hasTotal, subtotals }) => {
    const isCombining = (level: PivotLevel) => !('metrics' in level)
    // Metrics inside a group have no subtotal, unless there is only one.
    const grouped = metrics.length > 1 ? levels.slice(0, levels.findLastIndex(isCombining) + 1) : levels
    return (hasTotal && levels.some(isCombining)) || (subtotals !== 'none' && grouped.length > 1)
  })
  const say = createTranslator(context)
  const notes: string[] = []
  const isCut = row_limit > 0 && rows >= row_limit
  if (isCut)
    notes.push(
      say('picture.pivot.cut', 'The cell limit of {count, number} was reached. There may be more data than shown.', {
        count: row_limit,
      }),
    )
  if (isCut && isTotalled) notes.push(say('picture.pivot.cutTotals', 'Totals include only the cells shown.'))
  if (!isTotalled || aboutValues.test(aggregate)) return notes
  const base = aggregate.replace(/ as Fraction of .*/, '')
  // metrics of unknown kind are not reported
  const misleading = metrics
    .filter((metric) => ![null, wholes[base]].includes(classifyAggregate(metric, context)))
    .map(labelOfMetric)
  if (misleading.length > 0)
    notes.push(
      say(
        'picture.pivot.ofShown',
        'Totals of {metrics} are calculated from the values shown ({aggregate}), not from the underlying data.',
        {
          metrics: misleading.map((name) => context.displayName(name)).join(', '),
          aggregate: aggregateText(say, base),
        },
      ),
    )
  return notes
}
