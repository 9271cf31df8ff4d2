import { buildQueryContext, controlsOf, errorsOf } from '@parquetry/charts'
import { toast, toastError, useCommand, useText, type MenuItem } from '@parquetry/ui'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { can, isAdmin } from '../shared/rights.ts'
import { SaveDatasetDialog } from '../shared/SaveDatasetDialog.tsx'
import { useChartData } from '../shared/use-chart-data.ts'
import { fieldFor, withColumn, withMetric } from './best-slot.ts'
import { ControlPanel } from './ControlPanel.tsx'
import { DataPanel } from './DataPanel.tsx'
import { isDirty, isOutOfDate, openDraft, reduceDraft } from './draft.ts'
import { ExploreHeader } from './ExploreHeader.tsx'
import type { Opened } from './opened.ts'
import { explore } from './pages.ts'
import { Panes } from './Panes.tsx'
import { Picture } from './Picture.tsx'
import { useRemembered } from './remember.ts'
import { ResultsPane, type Part } from './ResultsPane.tsx'
import { SaveDialog, type Way } from './SaveDialog.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import { downloadAnswer, queryTexts } from './use-behind.ts'
import { useChartType } from './use-chart-type.ts'
import { datasourceKey, type ExploreDocument } from './use-explore.ts'
import { useUpdatesItself } from './use-updates-itself.ts'
import styles from './Explore.module.css'

export interface WorkbenchProps {
  document: ExploreDocument
  opened: Opened
  dashboardId: number | null
  /** Another dataset was put under the chart; the form that goes with it is kept under this key. */
  onSwapped(form_data_key: string): void
}

/** Dataset, controls and picture beside each other: the chart being made. */
export function Workbench({ document, opened, dashboardId, onSwapped }: WorkbenchProps) {
  const t = useText()
  const { search, setSearch } = usePage(explore)
  const { dataset } = document
  const [slice, setSlice] = useState(document.slice)
  const [draft, dispatch] = useReducer(reduceDraft, null, () => openDraft(opened.saved, opened.form))
  const [state, setState] = useState<Record<string, unknown>>({})
  const [dialog, setDialog] = useState<Way | 'swap' | 'dataset' | null>(null)
  const [part, setPart] = useState<Part>('results')

  const { chart, changeType } = useChartType(opened.chart, draft.edited, dataset, (form) => {
    dispatch({ type: 'replace', form })
    setState({})
  })
  const errors = errorsOf(controlsOf(chart.form, draft.edited, dataset))
  const askedErrors = errorsOf(controlsOf(chart.form, draft.applied, dataset))
  const isShown = draft.applied['viz_type'] === draft.edited['viz_type']
  const data = useChartData(chart, draft.applied, {
    state,
    enabled: isShown && askedErrors.length === 0,
    force: search.force,
  })
  const outOfDate = isOutOfDate(draft)
  const dirty = isDirty(draft)
  const itself = useUpdatesItself(dataset.database.id, data.result?.ms ?? 0)

  useEffect(() => {
    if (outOfDate && itself.isOn && errors.length === 0) dispatch({ type: 'apply' })
  }, [outOfDate, itself.isOn, errors.length, draft.edited])

  const onKey = useCallback(
    (form_data_key: string | null) => setSearch({ form_data_key }, { replace: true }),
    [setSearch],
  )
  const sliceId = slice?.slice_id ?? null
  useRemembered({ form: draft.edited, dataset, sliceId, known: search.form_data_key, onKey }, dirty)
  useBlocker({
    shouldBlockFn: ({ next }) =>
      dirty &&
      !next.pathname.startsWith('/explore') &&
      !window.confirm(t('explore.leave', 'The chart has changes that are not saved. Leave it?')),
    enableBeforeUnload: false,
  })

  const title = slice?.slice_name ?? t('explore.untitled', 'New chart')
  const mayWrite = can('can_write', 'Chart')
  const mayOverwrite = slice !== null && mayWrite && (isAdmin || slice.owners.includes(boot.user.userId ?? -1))
  const fix = errors.length > 0 ? t('explore.fixFirst', 'Fix the controls first') : undefined
  const update = useCommand({
    id: 'explore.update',
    label: t('explore.update', 'Update chart'),
    shortcut: 'Mod+Enter',
    icon: 'refresh',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => (outOfDate ? dispatch({ type: 'apply' }) : data.again()),
  })
  const save = useCommand({
    id: 'explore.save',
    label: t('explore.popover.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => setDialog(mayOverwrite ? 'overwrite' : 'saveas'),
  })
  const saveAs = useCommand({
    id: 'explore.saveAs',
    label: t('explore.save.as', 'Save as...'),
    shortcut: 'Mod+Shift+S',
    icon: 'copy',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => setDialog('saveas'),
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
  const download = useCommand({
    id: 'explore.csv',
    label: t('explore.csv', 'Download as CSV'),
    icon: 'download',
    ...(data.result === undefined && { disabledReason: t('explore.csv.nothing', 'There is no answer yet') }),
    run: () => void downloadAnswer(chart, draft.applied, title).catch((error: unknown) => toastError(messageOf(error))),
  })

  const menu: MenuItem[] = [
    ...(mayWrite ? [{ command: saveAs }] : []),
    ...(can('can_csv', 'Superset') ? [{ command: download }] : []),
    { label: t('explore.viewQuery', 'View query'), icon: 'sql', onSelect: () => setPart('query') },
    { label: t('explore.swap.title', 'Swap dataset'), icon: 'dataset', onSelect: () => setDialog('swap') },
  ]
  const rename = async (slice_name: string): Promise<void> => {
    if (!slice) return
    setSlice({ ...slice, slice_name })
    try {
      await api.put(`/api/v1/chart/${slice.slice_id}`, { body: { slice_name } })
      toast(t('explore.renamed', 'Renamed to {name}', { name: slice_name }))
    } catch (error) {
      setSlice(slice)
      toastError(messageOf(error))
    }
  }

  const picture = (
    <Picture
      title={title}
      description={slice?.description ?? null}
      viz_type={chart.viz_type}
      form={draft.applied}
      dataset={dataset}
      data={data}
      state={state}
      onState={setState}
      errors={askedErrors}
      outOfDate={outOfDate ? update : null}
    />
  )
  if (search.standalone) return <div className={styles.page}>{picture}</div>
  return (
    <div className={styles.page}>
      <ExploreHeader
        title={title}
        sliceId={sliceId}
        isDirty={dirty}
        onRename={mayOverwrite ? (name) => void rename(name) : undefined}
        undo={undo}
        redo={redo}
        save={save}
        menu={menu}
        shared={{ ...draft.edited, datasource: datasourceKey(dataset), ...(sliceId !== null && { slice_id: sliceId }) }}
        audience={t('explore.audience', 'Everyone who may read {dataset}', { dataset: dataset.table_name })}
      />
      <Panes
        data={
          <DataPanel
            dataset={dataset}
            onAddMetric={(name) =>
              dispatch({ type: 'set', look: false, ...withMetric(draft.edited, fieldFor(chart, 'metric'), name) })
            }
            onAddColumn={(name) => dispatch({ type: 'set', look: false, ...withColumn(draft.edited, chart, name) })}
            onSwap={() => setDialog('swap')}
            onQuery={() => setPart('query')}
            onSave={() => setDialog('dataset')}
          />
        }
        controls={
          <ControlPanel
            chart={chart}
            form={draft.edited}
            dataset={dataset}
            onChange={(name, value, look) => dispatch({ type: 'set', name, value, look })}
            onVizType={changeType}
            update={update}
            isOutOfDate={outOfDate}
            updatesItself={itself.isOn}
            onUpdatesItself={itself.set}
          />
        }
        picture={picture}
        results={
          <ResultsPane
            chart={chart}
            form={draft.applied}
            frames={isShown ? data.result?.frames : undefined}
            verbose={dataset.verbose_map}
            database={dataset.database.id}
            isLoading={data.state.phase === 'loading'}
            part={part}
            onPart={setPart}
          />
        }
      />
      <SaveDialog
        key={String(dialog)}
        open={dialog === 'overwrite' || dialog === 'saveas'}
        onClose={() => setDialog(null)}
        begin={dialog === 'saveas' ? 'saveas' : 'overwrite'}
        chart={chart}
        form={draft.edited}
        dataset={dataset}
        slice={slice}
        mayOverwrite={mayOverwrite}
        dashboardId={dashboardId}
        onSaved={(id, slice_name, form) => {
          dispatch({ type: 'saved', form: draft.edited })
          const owners = slice?.slice_id === id ? slice.owners : [boot.user.userId ?? -1]
          setSlice({ slice_id: id, slice_name, description: slice?.description ?? null, form_data: form, owners })
          setSearch(
            { slice_id: id, form_data_key: null, datasource_id: null, datasource_type: null, viz_type: null },
            { replace: true },
          )
        }}
      />
      {dialog === 'dataset' && (
        <SaveDatasetDialog
          onClose={() => setDialog(null)}
          source={async () => ({
            database: dataset.database.id,
            schema: dataset.schema,
            sql: (await queryTexts(buildQueryContext(chart, draft.applied)))[0] ?? '',
          })}
        />
      )}
      <SwapDialog
        key={`swap.${dialog}`}
        open={dialog === 'swap'}
        onClose={() => setDialog(null)}
        form={draft.edited}
        sliceId={sliceId}
        onSwapped={onSwapped}
      />
    </div>
  )
}
