import type { ChartForm } from '@parquetry/charts'
import type { QueryColumn, QueryMetric } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'
import { columnDisplayName } from './controls/columns.ts'
import { metricDisplayName } from './controls/metrics.ts'
import type { ExploreDataset } from './use-explore.ts'

const maxDimensions = 2

/** Name for an unnamed chart: the suggested title, else its metric and dimensions. */
export function suggestChartName(form: ChartForm, dataset: ExploreDataset, t: Translate): string {
  const { parquetry, metric, metrics, x_axis, groupby } = form
  const title = typeof parquetry === 'object' && parquetry !== null && 'title' in parquetry ? parquetry.title : ''
  if (typeof title === 'string' && title) return title
  const [measure] = [metric, metrics].flat().filter(isSet) as QueryMetric[]
  const dimensions = [x_axis, groupby].flat().filter(isSet) as QueryColumn[]
  if (measure === undefined) return dataset.table_name
  const dimensionNames = dimensions.slice(0, maxDimensions).map((column) => columnDisplayName(column, dataset))
  return dimensionNames.length > 0
    ? t('explore.save.suggested', '{measure} by {dimensions}', {
        measure: metricDisplayName(measure, dataset, t),
        dimensions: dimensionNames.join(', '),
      })
    : `${metricDisplayName(measure, dataset, t)}, ${dataset.table_name}`
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
