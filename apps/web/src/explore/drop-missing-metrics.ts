import { buildFieldGroups, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { QueryMetric } from '@parquetry/model'
import { isMetricInDataset } from './controls/metrics.ts'
import type { ExploreDataset } from './use-explore.ts'

/**
 * CTRL-047: the form without the metrics that the dataset lacks: saved metrics, and ad-hoc metrics on columns. They stay, marked as
 * incompatible, until the chart is saved with the other dataset. Returns the same object if there is nothing to drop.
 */
export function dropMissingMetrics(form: ChartForm, chart: AnyChart, dataset: ExploreDataset): ChartForm {
  const kept = { ...form }
  let isChanged = false
  for (const { name, value, control } of buildFieldGroups(chart.form, form, dataset).flatMap(({ fields }) => fields)) {
    if ((control.as !== 'metrics' && control.as !== 'metric') || value === undefined || value === null) continue
    const metrics = (Array.isArray(value) ? value : [value]) as QueryMetric[]
    const present = metrics.filter((metric) => isMetricInDataset(metric, dataset))
    if (present.length === metrics.length) continue
    isChanged = true
    if (Array.isArray(value)) kept[name] = present
    else delete kept[name]
  }
  return isChanged ? kept : form
}
