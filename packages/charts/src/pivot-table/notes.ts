import { labelOfMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { classifyAggregate, type AggregateKind } from '../shared/aggregate-kind.ts'
import { aggregateText } from './aggregate-text.ts'
import type { PivotAxis, PivotSettings } from './spec.ts'

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
  look: SpecContext,
): string[] {
  const { aggregateFunction: aggregate, metrics, row_limit } = settings
  const isTotalled = [down, across].some(({ levels, hasTotal, subtotals }) => {
    const combining = levels.filter((level) => !('metrics' in level) || metrics.length > 1)
    return (hasTotal && combining.length > 0) || (subtotals !== 'none' && levels.length > 1)
  })
  const say = createTranslator(look)
  const notes: string[] = []
  const isCut = row_limit > 0 && rows >= row_limit
  if (isCut)
    notes.push(
      say('picture.pivot.cut', 'The cell limit of {count, number} was reached. There may be more data than shown.', {
        count: row_limit,
      }),
    )
  if (isCut && isTotalled) notes.push(say('picture.pivot.cutTotals', 'Totals include only the cells shown.'))
  const isMixed =
    metrics.length > 1 &&
    (settings.metricsLayout === 'ROWS'
      ? settings.colTotals || (settings.combineMetric && settings.rowSubTotals)
      : settings.rowTotals || (settings.combineMetric && settings.colSubTotals))
  if (isMixed) notes.push(say('picture.pivot.mixed', 'Totals across several metrics combine their values.'))
  if (!isTotalled || aboutValues.test(aggregate)) return notes
  const base = aggregate.replace(/ as Fraction of .*/, '')
  // metrics of unknown kind are not reported
  const misleading = metrics
    .filter((metric) => ![null, wholes[base]].includes(classifyAggregate(metric, look)))
    .map(labelOfMetric)
  if (misleading.length > 0)
    notes.push(
      say(
        'picture.pivot.ofShown',
        'Totals of {metrics} are calculated from the values shown ({aggregate}), not from the underlying data.',
        { metrics: misleading.map((name) => look.displayName(name)).join(', '), aggregate: aggregateText(say, base) },
      ),
    )
  return notes
}
