import type { PlanColumn } from '@parquetry/model'
import { parseIso } from '../time-range/naive-time.ts'
import { parseShiftMs } from '../time-range/time-shift.ts'
import type { Dimension } from './dimensions.ts'
import type { Measure } from './metrics.ts'
import type { Scope } from './scope.ts'

/** Column descriptions for a runner: label, heading, and how values of the chart's time are converted to times. */
export function planColumns(dimensions: Dimension[], measures: Measure[], scope: Scope): PlanColumn[] {
  const hourOffset = hoursAdded(scope)
  return [
    ...dimensions.map(({ label, column, grain, isTimeAxis, dateFormat }): PlanColumn => ({
      name: label,
      kind: grain || dateFormat ? 'time' : null,
      ...(column?.verbose_name && { heading: column.verbose_name }),
      ...(isTimeAxis && hourOffset !== 0 && { hourOffset }),
      ...(dateFormat && { dateFormat }),
    })),
    ...measures.map(({ label, metric }): PlanColumn => ({
      name: label,
      kind: null,
      ...(metric?.verbose_name && { heading: metric.verbose_name }),
      isMetric: true,
    })),
  ]
}

/** Offset of the dataset, minus the shift of a `time_shift`. */
function hoursAdded({ dataset, query, context }: Scope): number {
  const shiftMs = query.time_shift ? parseShiftMs(query.time_shift, parseIso(context.now)) : 0
  return dataset.offset - shiftMs / 3_600_000
}
