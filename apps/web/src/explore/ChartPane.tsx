import { chartEntry, formatValidationError, type ChartForm } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import type { Message } from '@parquetry/model'
import { Button, EmptyState, useTranslate, type Command } from '@parquetry/ui'
import type { LayerError } from '../shared/annotations/layer-errors.ts'
import { LayerWarning } from '../shared/annotations/LayerWarning.tsx'
import { ChartFrame } from '../shared/ChartFrame.tsx'
import type { Drill } from '../shared/drill/use-drill.tsx'
import { isRanking } from '../shared/ranking.ts'
import type { ChartData } from '../shared/use-chart-data.ts'
import { useFiltering } from '../shared/use-filtering.ts'
import { DataSpanOffer } from './DataSpanOffer.tsx'
import type { ExploreDataset } from './use-explore.ts'
import styles from './Explore.module.css'

export interface ChartPaneProps {
  title: string
  description: string | null
  viz_type: string
  /** The form of the last query, with later changes of its appearance. */
  form: ChartForm
  dataset: ExploreDataset
  data: ChartData
  /** The chart's own state in the data mask. */
  state: Record<string, unknown>
  onState(state: Record<string, unknown>): void
  /** The chart changed its own appearance settings. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  /** Continues with a form that fixes the chart. */
  onForm?: ((form: ChartForm) => void) | undefined
  /** Errors of the applied form. */
  errors: readonly { label: string; error: Message }[]
  layerErrors: readonly LayerError[]
  /** Command that applies pending edits; null when there are none. */
  outOfDate: Command | null
  /** Opens the menu of a mark. */
  onMark?: Drill['openMenu']
}

/** The chart of the form, or why nothing is drawn yet. */
export function ChartPane({
  title,
  description,
  viz_type,
  form,
  dataset,
  data,
  errors,
  layerErrors,
  outOfDate,
  ...props
}: ChartPaneProps) {
  const t = useTranslate()
  const { onForm } = props
  const filtering = useFiltering({ form, dataset, filterState: undefined })
  const { result } = data
  const [head] = result?.heads ?? []
  const isSameType = result?.form['viz_type'] === form['viz_type']
  /** While another query runs, or after it failed, the last chart keeps the form that it was queried with. */
  const drawnForm = data.state.phase === 'ready' || !result ? form : result.form
  return (
    <div className={styles.picture} data-stale={outOfDate ? true : undefined}>
      {chartEntry(viz_type) === undefined ? (
        <ChartHost form={form} frames={{}} title={title} />
      ) : errors.length > 0 ? (
        <EmptyState title={t('explore.incomplete', 'Fix these controls to see the chart')}>
          {errors.map(({ label, error }) => formatValidationError(error, label, t)).join(' · ')}
        </EmptyState>
      ) : (
        <ChartFrame
          title={title}
          description={description}
          state={data.state}
          hasPicture={result !== undefined && isSameType}
          vizType={viz_type}
          showFacts
          marks={<LayerWarning errors={layerErrors} />}
          facts={
            head && isSameType
              ? {
                  rowcount: head.header.rowcount,
                  readRows: head.header.sql_rowcount,
                  rowLimit: Number(drawnForm['row_limit']) || null,
                  isRanking: isRanking(drawnForm),
                  truncated: head.header.truncated,
                  cachedAt: head.is_cached && head.cached_dttm ? Date.parse(`${head.cached_dttm}Z`) : null,
                }
              : null
          }
          onStop={data.stop}
          onRetry={data.refresh}
          fix={onForm && <DataSpanOffer form={form} dataset={dataset} onForm={onForm} />}
        >
          {result && isSameType && (
            <ChartHost
              form={drawnForm}
              frames={result.frames}
              until={head?.until}
              annotations={head?.annotations?.data}
              dataset={dataset}
              title={title}
              state={props.state}
              onState={props.onState}
              filtering={filtering}
              onSetting={props.onSetting}
              onMark={props.onMark}
            />
          )}
        </ChartFrame>
      )}
      {outOfDate && (
        <div className={styles.stale}>
          <Button variant="primary" command={outOfDate} />
        </div>
      )}
    </div>
  )
}
