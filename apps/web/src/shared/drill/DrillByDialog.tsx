import {
  parseDatasource,
  drillBy,
  firstDrillColumn,
  joinFrames,
  toStandaloneForm,
  type AnyChart,
  type ChartForm,
  type Mark,
} from '@parquetry/charts'
import { ChartHost, type MarkEvent } from '@parquetry/charts/views'
import type { QueryFilter } from '@parquetry/model'
import {
  Button,
  Dialog,
  EmptyState,
  SegmentedControl,
  Select,
  Skeleton,
  toastError,
  useTranslate,
  type Option,
} from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { api } from '../api.ts'
import { ChartFrame, ChartFailure } from '../ChartFrame.tsx'
import { messageOf } from '../errors.ts'
import { DataGrid } from '../grid/DataGrid.tsx'
import { isRanking } from '../ranking.ts'
import { can } from '../rights.ts'
import { useChartData, toWireError } from '../use-chart-data.ts'
import { DrillMenu } from './DrillMenu.tsx'
import { DrillFilters } from './DrillFilters.tsx'
import { RowsDialog } from './RowsDialog.tsx'
import { resolveDrillPermissions, type DrillSubject } from './subject.ts'
import { toColumnOptions, useDrillDataset, type DrillDataset } from './use-drill-dataset.ts'
import styles from './drill.module.css'

/** One step down: a mark, and the column that breaks it down. */
export interface DrillStep {
  filters: readonly QueryFilter[]
  /** Name of the mark. */
  label: string
  /** Null selects the first useful column until the user chooses one. */
  column: string | null
}

interface DrillByDialogProps {
  subject: DrillSubject
  first: DrillStep
  /** Selects one of the chart's queries, where it has several. */
  choice?: ReactNode
  onClose(): void
}

/** Breaks a mark down by another column, and its marks by further ones; every step can be reverted. */
export function DrillByDialog({ subject, first, choice, onClose }: DrillByDialogProps) {
  const t = useTranslate()
  const [steps, setSteps] = useState<readonly DrillStep[]>([first])
  const requestedStep = steps.at(-1) as DrillStep
  const { dataset, isRefused, error } = useDrillDataset(subject)
  const above = steps.slice(0, -1)
  const fixed = steps.flatMap(({ filters }) => filters)
  const columns = toColumnOptions(dataset, fixed)
  const suggested = firstDrillColumn(without(columns, above), subject.form) ?? null
  const last: DrillStep = { ...requestedStep, column: requestedStep.column ?? suggested }
  const path = [...above, last]
  const drilled = useQuery({
    queryKey: ['drill-by', subject.form, path, dataset !== undefined],
    queryFn: () => drillDown(subject.form, path, dataset as DrillDataset),
    enabled: dataset !== undefined && last.column !== null,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (before) => before,
  })
  const nameOf = (column: string | null): string =>
    columns.find(({ value }) => value === column)?.label ?? dataset?.verbose_map?.[column ?? ''] ?? column ?? '…'
  const labelOf = ({ label, column }: DrillStep) =>
    t('drill.step', '{label} by {column}', { label, column: nameOf(column) })

  return (
    <Dialog
      open
      title={t('drill.byTitle', 'Drill by: {title}', { title: subject.title })}
      width={1090}
      onClose={onClose}
    >
      <nav className={styles.path} aria-label={t('drill.path', 'Drill path')}>
        <ol>
          <li>
            <Button
              variant="quiet"
              icon="chevron-left"
              onClick={() => (steps.length > 1 ? setSteps(above) : onClose())}
            >
              {t('drill.back', 'Back')}
            </Button>
          </li>
          <li>
            <Button variant="quiet" onClick={onClose}>
              {subject.title}
            </Button>
            <span aria-hidden="true">/</span>
          </li>
          {above.map((step, index) => (
            <li key={`${index}.${step.label}`}>
              <Button variant="quiet" onClick={() => setSteps(path.slice(0, index + 1))}>
                {labelOf(step)}
              </Button>
              <span aria-hidden="true">/</span>
            </li>
          ))}
          <li aria-current="step">{labelOf(last)}</li>
        </ol>
      </nav>
      {choice && above.length === 0 && <div className={styles.choice}>{choice}</div>}
      {error ? (
        <ChartFailure error={toWireError(error)} />
      ) : isRefused ? (
        <EmptyState inline level={3} title={t('drill.refused', 'You can see only what this dashboard shows')} />
      ) : (
        <DrillResult
          subject={subject}
          title={labelOf(last)}
          dataset={dataset}
          drilled={dataset && last.column === null ? null : (drilled.data ?? undefined)}
          select={
            <Select
              compact
              prefix={t('drill.byColumn', 'By')}
              aria-label={t('drill.byColumn', 'By')}
              options={columns}
              value={last.column}
              selectedLabel={nameOf(last.column)}
              startsOpen={requestedStep.column === null}
              onChange={(column) => column !== null && setSteps([...above, { ...last, column }])}
            />
          }
          onStep={(step) => setSteps([...path, step])}
        />
      )}
    </Dialog>
  )
}

/** Names of the columns that no step uses. */
const without = (columns: readonly Option[], steps: readonly DrillStep[]): string[] =>
  columns.map(({ value }) => value).filter((name) => steps.every(({ column }) => column !== name))

async function drillDown(
  form: ChartForm,
  steps: readonly DrillStep[],
  dataset: DrillDataset,
): Promise<{ chart: AnyChart; form: ChartForm } | null> {
  let at: { chart: AnyChart; form: ChartForm } | undefined
  for (const { filters, column } of steps)
    if (column !== null) at = await drillBy(at?.form ?? form, filters, column, dataset)
  return at ?? null
}

interface DrillResultProps {
  subject: DrillSubject
  /** Description of the step. */
  title: string
  dataset: DrillDataset | undefined
  /** Null when there is no column to drill by, undefined while loading. */
  drilled: { chart: AnyChart; form: ChartForm } | null | undefined
  select: React.ReactNode
  onStep(step: DrillStep): void
}

function DrillResult({ subject, title, dataset, drilled, select, onStep }: DrillResultProps) {
  const t = useTranslate()
  const [view, setView] = useState<'picture' | 'table'>('picture')
  return (
    <>
      <DrillFilters form={drilled?.form ?? subject.form} dataset={dataset} />
      <div className={styles.bar}>
        <div>{select}</div>
        <SegmentedControl
          label={t('drill.view', 'Show as')}
          value={view}
          onChange={setView}
          options={[
            { value: 'picture', label: t('drill.picture', 'Chart'), icon: 'chart' },
            { value: 'table', label: t('drill.table', 'Table'), icon: 'table' },
          ]}
        />
        {drilled && can('can_explore', 'Superset') && <OpenAsChart form={drilled.form} />}
      </div>
      {drilled && dataset ? (
        <DrillChart {...drilled} subject={{ ...subject, title }} dataset={dataset} view={view} onStep={onStep} />
      ) : (
        <div className={styles.picture}>
          {drilled === null ? (
            <EmptyState inline level={3} title={t('drill.noColumns', 'No columns left to drill by')} />
          ) : (
            <Skeleton height="100%" />
          )}
        </div>
      )}
    </>
  )
}

interface DrillChartProps {
  chart: AnyChart
  form: ChartForm
  subject: DrillSubject
  dataset: DrillDataset
  view: 'picture' | 'table'
  onStep(step: DrillStep): void
}

function DrillChart({ chart, form, subject, dataset, view, onStep }: DrillChartProps) {
  const [state, setState] = useState<Record<string, unknown>>({})
  const [chosen, setChosen] = useState<{ mark: Mark; event: MarkEvent } | null>(null)
  const [rowsOf, setRowsOf] = useState<Mark | null>(null)
  const data = useChartData(chart, form, { state, enabled: true, force: false })
  const here: DrillSubject = { ...subject, form, dataset }
  const { result } = data
  const [head] = result?.heads ?? []
  const frame = useMemo(
    () => result && (chart.series.length > 0 ? joinFrames(result.frames) : Object.values(result.frames)[0]),
    [chart, result],
  )
  const chartFacts = head && {
    rowcount: head.header.rowcount,
    readRows: head.header.sql_rowcount,
    rowLimit: Number(form['row_limit']) || null,
    isRanking: isRanking(form),
    truncated: head.header.truncated,
    cachedAt: null,
  }
  return (
    <div className={styles.picture}>
      <ChartFrame
        title={subject.title}
        level={3}
        state={data.state}
        hasPicture={result !== undefined}
        vizType={chart.viz_type}
        facts={chartFacts ?? null}
        showFacts
        onStop={data.stop}
        onRetry={data.refresh}
      >
        {result && view === 'table' && frame && (
          <DataGrid frame={frame} label={subject.title} headingOf={(name) => dataset.verbose_map?.[name] || name} />
        )}
        {result && view === 'picture' && (
          <ChartHost
            form={result.form}
            frames={result.frames}
            until={head?.until}
            dataset={dataset}
            title={subject.title}
            state={state}
            onState={setState}
            onMark={(mark, event) => setChosen({ mark, event })}
          />
        )}
      </ChartFrame>
      {chosen && (
        <DrillMenu
          {...chosen}
          subject={here}
          ways={{ ...resolveDrillPermissions(chart.viz_type), canDrillBy: true }}
          first={[]}
          onRows={() => setRowsOf(chosen.mark)}
          onBy={(column) => onStep({ filters: chosen.mark.drill, label: chosen.mark.label, column })}
          onClose={() => setChosen(null)}
        />
      )}
      {rowsOf && (
        <RowsDialog subject={here} filters={rowsOf.drill} label={rowsOf.label} onClose={() => setRowsOf(null)} />
      )}
    </div>
  )
}

/** Opens a new tab, so that the current page keeps its state. */
function OpenAsChart({ form }: { form: ChartForm }) {
  const t = useTranslate()
  const open = async (): Promise<void> => {
    // Must run before any await: later, popup blockers would stop it.
    const tab = window.open('', '_blank')
    try {
      const standaloneForm = toStandaloneForm(form)
      const { id, type } = parseDatasource(standaloneForm)
      const datasource_type = type === 'query' ? 'query' : 'table'
      const body = { datasource_id: Number(id), datasource_type, form_data: JSON.stringify(standaloneForm) } as const
      const { key } = await api.post('/api/v1/explore/form_data', { body })
      const address = `/explore/?form_data_key=${key}&datasource_id=${id}&datasource_type=${datasource_type}`
      if (tab) tab.location.href = address
      else window.location.href = address
    } catch (error) {
      tab?.close()
      toastError(messageOf(error))
    }
  }
  return (
    <Button icon="external" onClick={() => void open()}>
      {t('drill.asChart', 'Open as new chart')}
    </Button>
  )
}
