import { chartEntry, buildFieldGroups, findBlockingErrors, resetHiddenValues, type ChartForm } from '@parquetry/charts'
import { confirm, toast, toastError, useTranslate } from '@parquetry/ui'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { api } from '../shared/api.ts'
import { findLayerErrors } from '../shared/annotations/layer-errors.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { can, isOwner } from '../shared/rights.ts'
import { useChartData } from '../shared/use-chart-data.ts'
import { dropMissingMetrics } from './drop-missing-metrics.ts'
import { isChartDirty, isOutOfDate, openDraft, reduceChartDraft } from './draft.ts'
import type { OpenedChart } from './open-document.ts'
import { explore } from './pages.ts'
import { usePersistedForm } from './persist-form.ts'
import { isChartOfForm, useChartType } from './use-chart-type.ts'
import type { ExploreDocument } from './use-explore.ts'
import { useAutoUpdate } from './use-auto-update.ts'

export type WorkbenchState = ReturnType<typeof useWorkbench>

/** State of the chart editor: the draft and its data, the saved chart, and the key in the address. */
export function useWorkbench(
  document: ExploreDocument,
  opened: OpenedChart,
  onSaved: (id: number, name: string) => void,
) {
  const t = useTranslate()
  const { search, setSearch } = usePage(explore)
  const { dataset } = document
  const [slice, setSlice] = useState(document.slice)
  const [draft, dispatch] = useReducer(reduceChartDraft, null, () => openDraft(opened.saved, opened.form))
  const [storedState, setStoredState] = useState<{ of: ChartForm; state: Record<string, unknown> }>({
    of: draft.applied,
    state: {},
  })
  // A new query starts at the first page.
  const state = storedState.of === draft.applied ? storedState.state : { ...storedState.state, currentPage: 0 }
  const setState = (next: Record<string, unknown>): void => setStoredState({ of: draft.applied, state: next })

  const { chart, changeType } = useChartType(opened.chart, draft.edited, dataset, (carry) => {
    dispatch({ type: 'become', carry })
    setState({})
  })
  const set = (name: string, value: unknown, look = false): void => {
    const reconcileForm = (before: ChartForm, edited: ChartForm) =>
      resetHiddenValues(chart.form, before, edited, dataset)
    dispatch({ type: 'set', name, value, look, reconcile: reconcileForm })
  }
  const errorsIn = (form: ChartForm) => {
    const saved = slice && draft.saved['viz_type'] === form['viz_type'] ? draft.saved : null
    return findBlockingErrors(buildFieldGroups(chart.form, form, dataset), { opened: opened.form, saved })
  }
  const errors = errorsIn(draft.edited)
  const askedErrors = errorsIn(draft.applied)
  // After an undo, the chart of the restored form may still be loading.
  const isShown = draft.applied['viz_type'] === draft.edited['viz_type'] && isChartOfForm(chart, draft.applied)
  const data = useChartData(chart, draft.applied, {
    state,
    enabled: isShown && chartEntry(chart.viz_type) !== undefined && askedErrors.length === 0,
    force: search.force,
  })
  const layers = data.state.phase === 'ready' ? data.result?.heads[0]?.annotations : undefined
  const outOfDate = isOutOfDate(draft)
  const dirty = isChartDirty(draft)
  const itself = useAutoUpdate(dataset.database.id, data.result?.ms ?? 0)

  useEffect(() => {
    if (outOfDate && itself.isOn && errors.length === 0) dispatch({ type: 'apply' })
  }, [outOfDate, itself.isOn, errors.length, draft.edited])

  const onKey = useCallback(
    (form_data_key: string | null) => setSearch({ form_data_key }, { replace: true }),
    [setSearch],
  )
  const sliceId = slice?.slice_id ?? null
  usePersistedForm({ form: draft.edited, dataset, sliceId, known: search.form_data_key, onKey }, dirty)
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!dirty || next.pathname.startsWith('/explore')) return false
      return !(await confirm({
        title: t('explore.leave.title', 'Leave with unsaved changes?'),
        body: t('explore.leave.body', 'Your changes to this chart are not saved.'),
        action: t('explore.leave.action', 'Leave'),
        danger: false,
      }))
    },
    enableBeforeUnload: false,
  })

  const mayWrite = can('can_write', 'Chart')
  const rename = async (slice_name: string): Promise<void> => {
    if (!slice) return
    setSlice({ ...slice, slice_name })
    try {
      await api.put('/api/v1/chart/:id', { params: { id: slice.slice_id }, body: { slice_name } })
      toast(t('explore.renamed', 'Chart renamed to {name}', { name: slice_name }))
    } catch (error) {
      setSlice(slice)
      toastError(messageOf(error))
    }
  }

  const isOtherDataset = slice !== null && draft.saved['datasource'] !== draft.edited['datasource']
  const formToSave = isOtherDataset ? dropMissingMetrics(draft.edited, chart, dataset) : draft.edited

  /** Records that `formToSave` was saved as this chart. Undo brings dropped metrics back. */
  const settle = (id: number, slice_name: string, form: Record<string, unknown>): void => {
    if (formToSave !== draft.edited) dispatch({ type: 'become', carry: () => formToSave })
    dispatch({ type: 'saved', form: formToSave })
    // A saved SQL Lab query has become a dataset, so the document reopens.
    if (dataset.type !== 'query') onSaved(id, slice_name)
    const editors = slice?.slice_id === id ? slice.editors : (boot.user.subjects ?? []).slice(0, 1)
    setSlice({ slice_id: id, slice_name, description: slice?.description ?? null, form_data: form, editors })
    setSearch(
      { slice_id: id, form_data_key: null, datasource_id: null, datasource_type: null, viz_type: null },
      { replace: true },
    )
  }
  return {
    isStandalone: search.standalone,
    dataset,
    slice,
    sliceId,
    title: slice?.slice_name ?? t('explore.untitled', 'New chart'),
    mayWrite,
    mayOverwrite: slice !== null && mayWrite && isOwner(slice.editors.map((id) => ({ id }))),
    draft,
    dispatch,
    /** The edited form, after a change of dataset without the metrics that the dataset lacks. */
    formToSave,
    /** Replaces the form; undo restores the previous one. */
    goOnWith: (form: ChartForm) => dispatch({ type: 'become', carry: () => form }),
    /** Changes one setting; `look` redraws without a query. */
    set,
    dirty,
    outOfDate,
    chart,
    changeType,
    /** Errors of the edited form, and of the applied one. */
    errors,
    askedErrors,
    /** Annotation layers that failed, with reasons. */
    layerErrors: findLayerErrors(draft.applied, layers, t),
    /** Data, chart and form have the same type. */
    isShown,
    data,
    /** The chart's own query state: page, sort order, search. */
    state,
    setState,
    itself,
    rename,
    /** Updates the properties after they were saved. */
    describe: (slice_name: string, description: string) =>
      setSlice((before) => before && { ...before, slice_name, description: description || null }),
    settle,
  }
}
