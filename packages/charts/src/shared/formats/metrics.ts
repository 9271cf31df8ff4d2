import type { QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../../define.ts'
import { withoutCurrency } from './format.ts'

/** Returns the format of values of several metrics: what all have in common, so that none is shown in the unit of another. */
export const commonMetricFormat = (
  metrics: readonly QueryMetric[],
  context: SpecContext,
  override?: Parameters<SpecContext['formatOf']>[1],
): string => commonFormat(metrics.map((metric) => context.formatOf(metric, override)))

/** Returns the single format of all; else the same without currencies, else the adaptive one. */
export function commonFormat(formats: readonly string[]): string {
  const [whole = 'SMART_NUMBER', ...others] = new Set(formats)
  if (others.length === 0) return whole
  const [plain = 'SMART_NUMBER', ...rest] = new Set([whole, ...others].map(withoutCurrency))
  return rest.length === 0 ? plain : 'SMART_NUMBER'
}
