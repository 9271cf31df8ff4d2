import type { PlanColumn, PlannerDataset } from '@parquetry/model'
import { englishTranslator, resolveDisplayName } from '@parquetry/model'
import { parseIso } from '../time-range/naive-time.ts'
import { parseShiftMs } from '../time-range/time-shift.ts'
import type { Dimension } from './dimensions.ts'
import type { Measure } from './metrics.ts'
import type { Scope } from './scope.ts'

/** Column descriptions for a runner: label, heading, and how values of the chart's time are converted to times. */
export function planColumns(dimensions: Dimension[], measures: Measure[], scope: Scope): PlanColumn[] {
  const hourOffset = hoursAdded(scope)
  const verbose = listVerboseNames(scope.dataset)
  return [
    ...dimensions.map(({ label, column, grain, isTimeAxis, dateFormat }): PlanColumn => ({
      name: label,
      kind: grain || dateFormat ? 'time' : null,
      ...(column?.verbose_name && { heading: column.verbose_name }),
      ...(isTimeAxis && hourOffset !== 0 && { hourOffset }),
      ...(dateFormat && { dateFormat }),
    })),
    ...measures.map(({ label, metric }): PlanColumn => {
      const heading = metric ? metric.verbose_name : resolveDisplayName(label, verbose, englishTranslator)
      return { name: label, kind: null, ...(heading && heading !== label && { heading }), isMetric: true }
    }),
  ]
}

/** Offset of the dataset, minus the shift of a `time_shift`. */
function hoursAdded({ dataset, query, context }: Scope): number {
  const shiftMs = query.time_shift ? parseShiftMs(query.time_shift, parseIso(context.now)) : 0
  return dataset.offset - shiftMs / 3_600_000
}

/** Verbose names of a dataset's columns and metrics, by name. */
export const listVerboseNames = ({ columns, metrics }: PlannerDataset): Record<string, string> =>
  Object.fromEntries(
    [
      ...columns.map(({ column_name, verbose_name }) => [column_name, verbose_name] as const),
      ...metrics.map(({ metric_name, verbose_name }) => [metric_name, verbose_name] as const),
    ].filter((pair): pair is [string, string] => Boolean(pair[1])),
  )
