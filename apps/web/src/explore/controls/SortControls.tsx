import type { ChartForm } from '@parquetry/charts'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { MultiSelect, Select, useTranslate } from '@parquetry/ui'
import type { ExploreDataset } from '../use-explore.ts'
import { columnDisplayName } from './columns.ts'
import { metricDisplayName } from './metrics.ts'
import styles from './controls.module.css'

/** `order_by_cols`: each entry is a JSON string of a column and its direction (true for ascending), as stored by the API. */
export function OrderByControl({
  value,
  dataset,
  onChange,
}: {
  value: readonly unknown[]
  dataset: ExploreDataset
  onChange(entries: string[]): void
}) {
  const t = useTranslate()
  const options = dataset.columns.flatMap(({ column_name, verbose_name }) =>
    [true, false].map((isUp) => ({
      value: JSON.stringify([column_name, isUp]),
      label: isUp
        ? t('explore.order.up', '{name}, ascending', { name: verbose_name || column_name })
        : t('explore.order.down', '{name}, descending', { name: verbose_name || column_name }),
    })),
  )
  const isInvalid = value.some((entry) => typeof entry === 'string' && parsed(entry) === entry)
  return (
    <>
      <MultiSelect<string>
        value={value.map((entry) => JSON.stringify(typeof entry === 'string' ? parsed(entry) : entry))}
        onChange={onChange}
        options={options}
        placeholder={t('explore.order.none', 'Database order')}
      />
      {isInvalid && (
        <p className={styles.note} role="alert">
          {t('explore.order.invalid', 'Found invalid orderby options')}
        </p>
      )}
    </>
  )
}

/** Unreadable entries are shown unchanged instead of dropped. */
function parsed(entry: string): unknown {
  try {
    return JSON.parse(entry)
  } catch {
    return entry
  }
}

/**
 * Sort order of the x-axis categories: by name, by a metric, or by the metric that ranks series. Unset, they are ascending, because
 * their rows are pivoted by category.
 */
export function AxisSortControl({
  value,
  form,
  dataset,
  onChange,
}: {
  value: string | null
  form: ChartForm
  dataset: ExploreDataset
  onChange(by: string | undefined): void
}) {
  const t = useTranslate()
  const axis = form['x_axis'] as QueryColumn | undefined | null
  const metrics = [form['metrics'], form['timeseries_limit_metric']].flat().filter(Boolean) as QueryMetric[]
  const options = [
    ...(axis ? [{ value: labelOfColumn(axis), label: columnDisplayName(axis, dataset) }] : []),
    ...[...new Map(metrics.map((metric) => [labelOfMetric(metric), metric]))].map(([label, metric]) => ({
      value: label,
      label: metricDisplayName(metric, dataset, t),
    })),
  ]
  return (
    <Select<string>
      value={value}
      selectedLabel={value ?? undefined}
      options={options}
      clearable
      placeholder={t('explore.order.categories', 'Category, ascending')}
      onChange={(by) => onChange(by ?? undefined)}
    />
  )
}
