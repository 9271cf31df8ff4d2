import type { ChartForm } from '@parquetry/charts'
import { Field, useTranslate } from '@parquetry/ui'
import type { ExploreDataset } from '../use-explore.ts'
import { listResultColumns } from './result-columns.ts'
import { BoundsControl } from './ValueControls.tsx'
import styles from './controls.module.css'

/** Settings by metric, including both bounds; keys of other tools are preserved. */
export type MetricBounds = Record<string, Record<string, unknown>>

export interface MetricBoundsControlProps {
  value: MetricBounds
  keys: readonly [lowest: string, highest: string]
  form: ChartForm
  dataset: ExploreDataset
  onChange(value: MetricBounds): void
}

/** Minimum and maximum of each metric. An empty bound follows the data. */
export function MetricBoundsControl({
  value,
  keys: [lowest, highest],
  form,
  dataset,
  onChange,
}: MetricBoundsControlProps) {
  const t = useTranslate()
  const metrics = listResultColumns({ metrics: form['metrics'] }, dataset)
  if (metrics.length === 0)
    return (
      <p className={styles.note}>
        {t('explore.metricBounds.none', 'No metrics yet. Add a metric to the chart first.')}
      </p>
    )
  return (
    <div className={styles.pills}>
      {metrics.map(({ name, label }) => (
        <Field key={name} label={label} group>
          <BoundsControl
            value={[value[name]?.[lowest], value[name]?.[highest]]}
            onChange={([low, high]) =>
              onChange({ ...value, [name]: { ...value[name], [lowest]: low, [highest]: high } })
            }
          />
        </Field>
      ))}
    </div>
  )
}
