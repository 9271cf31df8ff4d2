import { carryOver, controlsOf, errorsOf, loadChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import { Button, EmptyState, PageHeader, SplitPane, StatusChip, toastError, useCommand, useText } from '@parquetry/ui'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { ChartFrame } from '../shared/ChartFrame.tsx'
import { ApiError, messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { can, isAdmin } from '../shared/rights.ts'
import { SharePopover } from '../shared/SharePopover.tsx'
import { ControlPanel } from './ControlPanel.tsx'
import { DataPanel } from './DataPanel.tsx'
import { isDirty, isOutOfDate, openDraft, reduceDraft } from './draft.ts'
import { fieldFor, withColumn, withMetric } from './best-slot.ts'
import { explore } from './pages.ts'
import { useRemembered } from './remember.ts'
import { ResultsPane } from './ResultsPane.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { useChartData } from './use-chart-data.ts'
import type { ExploreDocument } from './use-explore.ts'
import styles from './Explore.module.css'

export interface WorkbenchProps {
  document: ExploreDocument
  opened: { chart: AnyChart; form: ChartForm }
  dashboardId: number | null
}

const quickMs = 2000
const itselfKey = (database: number): string => `parquetry.explore.itself.${database}`

/** Dataset, controls and picture beside each other: the chart being made. */
export function Workbench({ document, opened, dashboardId }: WorkbenchProps) {
  const t = useText()
  const { search, setSearch } = usePage(explore)
  const { dataset } = document
  const [slice, setSlice] = useState(document.slice)
  const [chart, setChart] = useState(opened.chart)
  const [draft, dispatch] = useReducer(reduceDraft, null, () =>
    openDraft(slice ? slice.form_data : opened.form, opened.form),
  )
  const [state, setState] = useState<Record<string, unknown>>({})
  const [round, setRound] = useState(0)
  const [saving, setSaving] = useState(false)
  const [sharing, setSharing] = useState(false)
  const [itself, setItself] = useState(() => localStorage.getItem(itselfKey(dataset.database.id)))

  const errors = errorsOf(controlsOf(chart.form, draft.edited, dataset))
  const appliedErrors = errorsOf(controlsOf(chart.form, draft.applied, dataset))
  const result = useChartData(chart, draft.applied, state, round, appliedErrors.length === 0)
  const outOfDate = isOutOfDate(draft)
  const dirty = isDirty(draft)
  const updatesItself = itself === null ? (result.data?.ms ?? 0) < quickMs : itself === 'on'

  useEffect(() => {
    if (outOfDate && updatesItself && errors.length === 0) dispatch({ type: 'apply' })
  }, [outOfDate, updatesItself, errors.length, draft.edited])

  const setKey = useCallback((form_data_key: string) => setSearch({ form_data_key }, { replace: true }), [setSearch])
  useRemembered(
    {
      form: draft.edited,
      datasetId: dataset.id,
      sliceId: slice?.slice_id ?? null,
      known: search.form_data_key,
      onKey: setKey,
    },
    dirty,
  )
  useBlocker({
    shouldBlockFn: ({ next }) =>
      dirty &&
      !next.pathname.startsWith('/explore') &&
      !window.confirm(t('explore.leave', 'The chart has changes that are not saved. Leave it?')),
    enableBeforeUnload: false,
  })

  const mayOverwrite =
    slice !== null && (isAdmin || slice.owners.includes(boot.user.userId ?? -1)) && can('can_write', 'Chart')
  const fix = errors.length > 0 ? t('explore.fixFirst', 'Fix the controls first') : undefined
  const update = useCommand({
    id: 'explore.update',
    label: t('explore.update', 'Update chart'),
    shortcut: 'Mod+Enter',
    icon: 'refresh',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => {
      if (outOfDate) dispatch({ type: 'apply' })
      else setRound((now) => now + 1)
    },
  })
  const save = useCommand({
    id: 'explore.save',
    label: t('explore.popover.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => setSaving(true),
  })
  const undo = useCommand({
    id: 'explore.undo',
    label: t('explore.undo', 'Undo'),
    shortcut: 'Mod+Z',
    icon: 'undo',
    ...(draft.past.length === 0 && { disabledReason: t('explore.noUndo', 'Nothing to undo') }),
    run: () => dispatch({ type: 'undo' }),
  })
  const redo = useCommand({
    id: 'explore.redo',
    label: t('explore.redo', 'Redo'),
    shortcut: 'Mod+Shift+Z',
    icon: 'redo',
    ...(draft.future.length === 0 && { disabledReason: t('explore.noRedo', 'Nothing to redo') }),
    run: () => dispatch({ type: 'redo' }),
  })

  const changeType = (viz_type: string): void => {
    if (viz_type === chart.viz_type) return
    loadChart(viz_type).then(
      (next) => {
        if (!next) return
        dispatch({ type: 'replace', form: carryOver(draft.edited, chart, next, dataset) })
        setChart(next)
        setState({})
      },
      (error: unknown) => toastError(messageOf(error)),
    )
  }
  useEffect(() => {
    const wanted = draft.edited['viz_type']
    if (typeof wanted !== 'string' || wanted === chart.viz_type || chart.replaces?.[wanted]) return
    void loadChart(wanted).then((other) => other && setChart(other))
  }, [draft.edited, chart])

  const title = slice?.slice_name ?? t('explore.untitled', 'New chart')
  const [head] = result.data?.heads ?? []
  const frameState = result.isError
    ? {
        phase: 'failed' as const,
        error: {
          code: 'query_failed' as const,
          message: messageOf(result.error),
          details: result.error instanceof ApiError ? (result.error.errors[0]?.extra ?? {}) : {},
        },
        since: null,
      }
    : {
        phase: result.isFetching ? ('loading' as const) : ('ready' as const),
        error: null,
        since: result.isFetching ? Date.now() : null,
      }

  const picture = (
    <div className={styles.picture} data-stale={outOfDate || undefined}>
      {appliedErrors.length > 0 ? (
        <EmptyState title={t('explore.incomplete', 'The chart needs more to be drawn')}>
          {appliedErrors.map(({ label, error }) => `${label} ${error}`).join(' · ')}
        </EmptyState>
      ) : (
        <ChartFrame
          title={title}
          description={slice?.description}
          state={frameState}
          hasPicture={result.data !== undefined}
          vizType={chart.viz_type}
          showFacts
          facts={
            head
              ? {
                  rowcount: head.header.rowcount,
                  rowLimit: Number(draft.applied['row_limit']) || null,
                  truncated: head.header.truncated,
                  cachedAt: head.is_cached && head.cached_dttm ? Date.parse(`${head.cached_dttm}Z`) : null,
                }
              : null
          }
          onRetry={() => setRound((now) => now + 1)}
        >
          {result.data && (
            <ChartHost
              form={draft.applied}
              frames={result.data.frames}
              dataset={dataset}
              title={title}
              state={state}
              onState={setState}
            />
          )}
        </ChartFrame>
      )}
      {outOfDate && (
        <div className={styles.stale}>
          <Button variant="primary" command={update} />
        </div>
      )}
    </div>
  )

  return (
    <div className={styles.page}>
      <PageHeader
        title={title}
        crumbs={[{ label: t('explore.title', 'Charts'), href: '/chart/list/' }]}
        marks={dirty ? <StatusChip tone="neutral">{t('explore.unsaved', 'Unsaved changes')}</StatusChip> : null}
        actions={
          <>
            <Button variant="quiet" command={undo} />
            <Button variant="quiet" command={redo} />
            {can('can_share_chart', 'Superset') && (
              <SharePopover
                open={sharing}
                onClose={() => setSharing(false)}
                anchor={
                  <Button icon="share" onClick={() => setSharing((now) => !now)}>
                    {t('explore.share', 'Share')}
                  </Button>
                }
                makeLink={async () =>
                  (
                    await api.post<{ url: string }>('/api/v1/explore/permalink', {
                      body: {
                        formData: {
                          ...draft.edited,
                          datasource: `${dataset.id}__table`,
                          ...(slice && { slice_id: slice.slice_id }),
                        },
                      },
                    })
                  ).url
                }
                audience={t('explore.audience', 'Everyone who may read {dataset}', { dataset: dataset.table_name })}
                subject={title}
              />
            )}
            {can('can_write', 'Chart') && <Button variant="primary" command={save} />}
          </>
        }
      />
      <div className={styles.body}>
        <SplitPane
          name="explore.data"
          label={t('explore.split.data', 'Width of the dataset')}
          size={240}
          min={180}
          max={400}
          first={
            <DataPanel
              dataset={dataset}
              onAddMetric={(name) =>
                dispatch({ type: 'set', look: false, ...withMetric(draft.edited, fieldFor(chart, 'metric'), name) })
              }
              onAddColumn={(name) => dispatch({ type: 'set', look: false, ...withColumn(draft.edited, chart, name) })}
            />
          }
          second={
            <SplitPane
              name="explore.controls"
              label={t('explore.split.controls', 'Width of the controls')}
              size={320}
              min={260}
              max={520}
              first={
                <ControlPanel
                  chart={chart}
                  form={draft.edited}
                  dataset={dataset}
                  onChange={(name, value, look) => dispatch({ type: 'set', name, value, look })}
                  onVizType={changeType}
                  update={update}
                  isOutOfDate={outOfDate}
                  updatesItself={updatesItself}
                  onUpdatesItself={(on) => {
                    localStorage.setItem(itselfKey(dataset.database.id), on ? 'on' : 'off')
                    setItself(on ? 'on' : 'off')
                  }}
                />
              }
              second={
                <SplitPane
                  name="explore.results"
                  label={t('explore.split.results', 'Height of the picture')}
                  direction="column"
                  sized="second"
                  size={260}
                  min={40}
                  max={600}
                  first={picture}
                  second={
                    <ResultsPane
                      chart={chart}
                      form={draft.applied}
                      frames={result.data?.frames}
                      verbose={dataset.verbose_map}
                    />
                  }
                />
              }
            />
          }
        />
      </div>
      <SaveDialog
        key={String(saving)}
        open={saving}
        onClose={() => setSaving(false)}
        chart={chart}
        form={draft.edited}
        datasetId={dataset.id}
        slice={slice}
        mayOverwrite={mayOverwrite}
        dashboardId={dashboardId}
        onSaved={(id, name) => {
          const form = draft.edited
          dispatch({ type: 'saved', form })
          setSlice({
            slice_id: id,
            slice_name: name,
            description: slice?.description ?? null,
            form_data: form,
            owners: [boot.user.userId ?? -1],
          })
          setSearch(
            { slice_id: id, form_data_key: null, datasource_id: null, datasource_type: null },
            { replace: true },
          )
        }}
      />
    </div>
  )
}
