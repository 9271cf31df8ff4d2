import { buildQueryContext, chartEntry, type AnyChart, type ChartForm } from '@parquetry/charts'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  RadioGroup,
  Select,
  TextInput,
  toast,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../shared/api.ts'
import { createDataset, defaultDatasetName, toastDatasourceError } from '../shared/dataset-calls.ts'
import { messageOf } from '../shared/errors.ts'
import { extractChartSettings } from './draft.ts'
import { suggestChartName } from './suggest-chart-name.ts'
import type { ExploreDataset, SliceDocument } from './use-explore.ts'
import styles from './Explore.module.css'

export interface SaveDialogProps {
  open: boolean
  onClose(): void
  chart: AnyChart
  form: ChartForm
  /** A SQL Lab query is saved as a dataset first, since a saved chart outlives the query history. */
  dataset: ExploreDataset
  slice: SliceDocument | null
  mayOverwrite: boolean
  dashboardId: number | null
  initialMode: SaveMode
  /** @param form  the saved form */
  onSaved(id: number, name: string, form: ChartForm): void
}

export type SaveMode = 'overwrite' | 'saveas'

const newDashboard = -1

/** Overwrites the chart or saves it as a new one, and optionally adds it to a dashboard. */
export function SaveDialog({
  open,
  onClose,
  chart,
  form,
  dataset,
  slice,
  mayOverwrite,
  dashboardId,
  initialMode,
  onSaved,
}: SaveDialogProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [saveMode, setSaveMode] = useState<SaveMode>(initialMode)
  const [name, setName] = useState(slice?.slice_name ?? suggestChartName(form, dataset, t))
  const [dashboard, setDashboard] = useState<number | null>(dashboardId)
  const [dashboardTitle, setDashboardTitle] = useState('')
  const handedOn = useQuery({
    queryKey: ['dashboard', 'title', dashboardId],
    queryFn: ({ signal }) => api.get('/api/v1/dashboard/:id', { params: { id: dashboardId ?? 0 }, signal }),
    enabled: open && dashboardId !== null,
  })
  const [datasetTitle, setDatasetTitle] = useState(() => defaultDatasetName(new Date()))
  const isQuery = dataset.type === 'query'
  /** Dataset created from the query by an earlier attempt that failed to save the chart. */
  const savedDatasetId = useRef<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const nameless =
    name.trim() === ''
      ? t('explore.save.nameFirst', 'Enter a chart name')
      : isQuery && datasetTitle.trim() === ''
        ? t('explore.dataset.first', 'Enter a dataset name')
        : undefined
  const save = async (goThere: boolean): Promise<void> => {
    if (nameless !== undefined) return
    setBusy(true)
    setError(null)
    try {
      const target = dashboard === newDashboard ? await makeDashboard(dashboardTitle.trim() || name.trim()) : dashboard
      const datasetId = isQuery
        ? (savedDatasetId.current ??= await saveQueryAsDataset(datasetTitle.trim(), dataset))
        : dataset.id
      const overwrites = saveMode === 'overwrite' && slice !== null
      const id = overwrites ? slice.slice_id : null
      const saved = { ...extractChartSettings(form), viz_type: chart.viz_type, datasource: `${datasetId}__table` }
      const body = {
        slice_name: name.trim(),
        viz_type: chart.viz_type,
        datasource_id: datasetId,
        datasource_type: 'table' as const,
        params: JSON.stringify({ ...saved, ...(id !== null && { slice_id: id }) }),
        // For unsupported chart types the stored query context stays, since only the tool that made it can build one.
        ...(chartEntry(chart.viz_type) && { query_context: JSON.stringify(buildQueryContext(chart, saved)) }),
        ...(target !== null && {
          dashboards: [...new Set([...(id === null ? [] : await fetchDashboardIds(id)), target])],
        }),
      }
      if (id !== null) await api.put('/api/v1/chart/:id', { params: { id }, body })
      const savedId = id ?? (await api.post('/api/v1/chart/', { body })).id
      await queries.invalidateQueries({ queryKey: ['chart'] })
      toast(
        overwrites
          ? t('explore.save.overwritten', 'Chart [{name}] has been overwritten', { name: name.trim() })
          : t('explore.save.saved', 'Chart [{name}] has been saved', { name: name.trim() }),
      )
      // Clears the unsaved state before the page is left.
      flushSync(() => {
        onSaved(savedId, name.trim(), saved)
        onClose()
      })
      if (goThere && target !== null) go(`/superset/dashboard/${target}/`)
    } catch (failure) {
      setError(messageOf(failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('explore.save.title', 'Save chart')}
      width={480}
      onSubmit={() => void save(false)}
      footer={
        <>
          <Button onClick={onClose}>{t('explore.popover.cancel', 'Cancel')}</Button>
          {dashboard !== null && (
            <Button busy={busy} disabledReason={nameless} onClick={() => void save(true)}>
              {t('explore.save.go', 'Save & go to dashboard')}
            </Button>
          )}
          <Button variant="primary" type="submit" busy={busy} disabledReason={nameless}>
            {t('explore.popover.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {error && (
          <ErrorPanel inline title={t('explore.save.failed', 'Failed to save slice')}>
            {error}
          </ErrorPanel>
        )}
        {slice && (
          <RadioGroup<SaveMode>
            label={t('explore.save.way', 'Save mode')}
            value={saveMode}
            onChange={setSaveMode}
            options={[
              ...(mayOverwrite
                ? [{ value: 'overwrite' as const, label: t('explore.save.overwrite', 'Save (overwrite)') }]
                : []),
              { value: 'saveas' as const, label: t('explore.save.as', 'Save as…') },
            ]}
          />
        )}
        <Field label={t('explore.save.name', 'Chart name')} required>
          <TextInput value={name} onChange={setName} onFocus={({ target }) => target.select()} data-autofocus />
        </Field>
        {isQuery && (
          <Field
            label={t('explore.dataset.name', 'Dataset name')}
            help={t('explore.save.queryHelp', 'The query is saved as a dataset for this chart.')}
            required
          >
            <TextInput value={datasetTitle} onChange={setDatasetTitle} />
          </Field>
        )}
        <Field label={t('explore.save.dashboard', 'Add to dashboard')}>
          <Select<number>
            value={dashboard}
            selectedLabel={handedOn.data?.result.dashboard_title ?? undefined}
            onChange={(chosen, _, typed) => {
              setDashboard(chosen)
              // The search text becomes the title of the new dashboard.
              if (chosen === newDashboard && typed) setDashboardTitle(typed)
            }}
            clearable
            placeholder={t('explore.save.noDashboard', 'No dashboard')}
            load={async (search, page, signal) => {
              const filters = search ? [{ col: 'dashboard_title', opr: 'ct', value: search }] : []
              const answer = await api
                .get('/api/v1/dashboard/', {
                  q: { columns: ['id', 'dashboard_title'], filters, page, page_size: 50, keys: ['none'] },
                  signal,
                })
                .catch((failure: unknown) => {
                  if (!signal.aborted) setError(t('explore.save.dashboardsFailed', 'Could not load your dashboards.'))
                  throw failure
                })
              const options = answer.result.map(({ id, dashboard_title }) => ({
                value: id,
                label: dashboard_title ?? `[ untitled dashboard ]`,
              }))
              const fresh = { value: newDashboard, label: t('explore.save.newDashboard', '+ New dashboard') }
              return { options: page === 0 ? [fresh, ...options] : options, count: answer.count + 1 }
            }}
          />
        </Field>
        {dashboard === newDashboard && (
          <Field label={t('explore.save.dashboardTitle', 'New dashboard title')}>
            <TextInput value={dashboardTitle} onChange={setDashboardTitle} placeholder={name} />
          </Field>
        )}
      </div>
    </Dialog>
  )
}

async function saveQueryAsDataset(name: string, { database, schema, sql }: ExploreDataset): Promise<number> {
  try {
    return await createDataset(name, { database: database.id, schema, sql: sql ?? '' })
  } catch (error) {
    toastDatasourceError(error)
    throw error
  }
}

const makeDashboard = async (dashboard_title: string): Promise<number> =>
  (await api.post('/api/v1/dashboard/', { body: { dashboard_title } })).id

const fetchDashboardIds = async (chart: number): Promise<number[]> => {
  const { result } = await api.get('/api/v1/chart/:id', { params: { id: chart } })
  return result.dashboards.map(({ id }) => id)
}
