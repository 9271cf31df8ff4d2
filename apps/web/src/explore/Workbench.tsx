import { buildQueryContext, renameFields } from '@parquetry/charts'
import { useTranslate, type MenuItem } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { can } from '../shared/rights.ts'
import { useDrill } from '../shared/drill/use-drill.tsx'
import { PropertiesDialog } from '../shared/PropertiesDialog.tsx'
import { MissingReferencesBanner } from '../shared/missing-references/MissingReferencesBanner.tsx'
import { SaveDatasetDialog } from '../shared/SaveDatasetDialog.tsx'
import { fetchChartPicture } from '../shared/chart-picture.ts'
import { useReportMenu } from '../shared/reports/use-report-menu.tsx'
import { usePictureDownload } from '../shared/use-picture-download.ts'
import { findTargetControl, addColumnToControl, addMetricToControl } from './target-control.ts'
import { ControlPanel } from './ControlPanel.tsx'
import { DataPanel } from './DataPanel.tsx'
import { ExploreHeader } from './ExploreHeader.tsx'
import { MissingReferencesContext, useMissingFormReferences } from './MissingReferences.tsx'
import type { OpenedChart } from './open-document.ts'
import { ExploreLayout } from './ExploreLayout.tsx'
import { ChartPane } from './ChartPane.tsx'
import { ResultsPane, type ResultsPaneTab } from './ResultsPane.tsx'
import { SaveDialog, type SaveMode } from './SaveDialog.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import { fetchQueryTexts } from './use-underlying-data.ts'
import { datasourceKey, type ExploreDocument } from './use-explore.ts'
import { useHasNoCharts } from './use-has-no-charts.ts'
import { useWorkbench } from './use-workbench.ts'
import { useWorkbenchCommands } from './use-workbench-commands.ts'
import styles from './Explore.module.css'

const SuggestedCharts = lazyComponent(async () => (await import('./SuggestedCharts.tsx')).SuggestedCharts)
const VersionsDrawer = lazyComponent(async () => (await import('../shared/history/VersionsDrawer.tsx')).VersionsDrawer)
const EditDatasetDrawer = lazyComponent(
  async () => (await import('../shared/dataset-editor/EditDatasetDrawer.tsx')).EditDatasetDrawer,
)

export interface WorkbenchProps {
  document: ExploreDocument
  opened: OpenedChart
  dashboardId: number | null
  /** The chart was saved and now has its own address; editing continues here. */
  onSaved(id: number, name: string): void
  /** The dataset was swapped; the form for the new one is stored under this key. */
  onSwapped(form_data_key: string): void
}

/** Chart editor: dataset, controls and chart side by side. */
export function Workbench({ document, opened, dashboardId, onSaved, onSwapped }: WorkbenchProps) {
  const t = useTranslate()
  const workbench = useWorkbench(document, opened, onSaved)
  const { chart, data, dataset, draft, mayOverwrite, outOfDate, slice, sliceId, title } = workbench
  const [dialog, setDialog] = useState<SaveMode | 'swap' | 'dataset' | 'edit' | 'properties' | 'versions' | null>(null)
  const queries = useQueryClient()
  const [chosenPart, setPart] = useState<ResultsPaneTab | null>(null)
  const isUncharted = useHasNoCharts(slice === null ? dataset : null)
  const part = chosenPart === 'first' && slice ? 'results' : (chosenPart ?? (isUncharted ? 'first' : 'results'))
  const setField = ({ name, value }: { name: string; value: unknown }): void => workbench.set(name, value)
  const missing = useMissingFormReferences(chart, draft.edited, dataset)
  const { update, save, saveAs, undo, redo, downloads } = useWorkbenchCommands(workbench, setDialog)

  const pictures = usePictureDownload(
    (pictureRequest) => fetchChartPicture(pictureRequest, { form_data: draft.applied, title, state: workbench.state }),
    title,
  )
  const reports = useReportMenu(sliceId === null ? null : { kind: 'chart', id: sliceId, name: title }, () => null)
  const drilled =
    data.result && workbench.isShown ? { title, form: data.result.form, dataset, dashboardId: null } : null
  const drill = useDrill(drilled)
  const menu: MenuItem[] = [
    ...(workbench.mayWrite ? [{ command: saveAs }] : []),
    ...(mayOverwrite
      ? [
          {
            label: t('explore.properties', 'Edit chart properties'),
            icon: 'edit' as const,
            onSelect: () => setDialog('properties'),
          },
        ]
      : []),
    ...(can('can_csv', 'Superset') ? downloads.map((command) => ({ command })) : []),
    ...(data.result === undefined ? [] : [pictures]),
    ...reports.items,
    { label: t('explore.viewQuery', 'View query'), icon: 'sql', onSelect: () => setPart('query') },
    ...drill.items,
    { label: t('explore.swap.title', 'Swap dataset'), icon: 'dataset', onSelect: () => setDialog('swap') },
    ...(mayOverwrite && sliceId !== null
      ? [
          {
            label: t('history.versions', 'Versions'),
            icon: 'history' as const,
            onSelect: () => setDialog('versions'),
          },
        ]
      : []),
  ]

  const picture = (
    <ChartPane
      title={title}
      description={slice?.description ?? null}
      viz_type={chart.viz_type}
      form={draft.applied}
      dataset={dataset}
      data={data}
      state={workbench.state}
      onState={workbench.setState}
      onSetting={
        workbench.isStandalone
          ? undefined
          : (settings) => {
              for (const [name, value] of Object.entries(settings)) workbench.set(name, value, true)
            }
      }
      onForm={workbench.isStandalone ? undefined : workbench.goOnWith}
      errors={workbench.askedErrors}
      layerErrors={workbench.layerErrors}
      outOfDate={outOfDate ? update : null}
      onMark={drill.openMenu}
    />
  )
  if (workbench.isStandalone)
    return (
      <div className={styles.page}>
        {picture}
        {drill.element}
      </div>
    )
  return (
    <div className={styles.page}>
      <ExploreHeader
        title={title}
        sliceId={sliceId}
        isDirty={workbench.dirty}
        onRename={mayOverwrite ? (name) => void workbench.rename(name) : undefined}
        undo={undo}
        redo={redo}
        save={save}
        menu={menu}
        onMenuOpen={reports.onOpenChange}
        shared={{ ...draft.edited, datasource: datasourceKey(dataset), ...(sliceId !== null && { slice_id: sliceId }) }}
        audience={t('explore.audience', 'All users with access to {dataset} can open this link.', {
          dataset: dataset.table_name,
        })}
      />
      <MissingReferencesBanner
        lost={missing}
        onUse={(renames) => workbench.goOnWith(renameFields(chart, draft.edited, renames))}
      />
      <ExploreLayout
        data={
          <DataPanel
            dataset={dataset}
            onAddMetric={(name) => setField(addMetricToControl(draft.edited, findTargetControl(chart, 'metric'), name))}
            onAddColumn={(name) => setField(addColumnToControl(draft.edited, chart, name))}
            onEdit={() => setDialog('edit')}
            onSwap={() => setDialog('swap')}
            onQuery={() => setPart('query')}
            onSave={() => setDialog('dataset')}
          />
        }
        controls={
          <MissingReferencesContext value={missing}>
            <ControlPanel
              chart={chart}
              form={draft.edited}
              dataset={dataset}
              errors={workbench.errors}
              layerErrors={workbench.layerErrors}
              onChange={workbench.set}
              onVizType={workbench.changeType}
              update={update}
              isOutOfDate={outOfDate}
              isAutoUpdate={workbench.itself.isOn}
              onAutoUpdate={workbench.itself.set}
            />
          </MissingReferencesContext>
        }
        picture={picture}
        results={
          <ResultsPane
            chart={chart}
            form={draft.applied}
            frames={workbench.isShown ? data.result?.frames : undefined}
            verbose={dataset.verbose_map}
            formats={dataset.column_formats}
            database={dataset.database.id}
            isLoading={data.state.phase === 'loading'}
            isShown={workbench.isShown}
            part={part}
            onPart={setPart}
            first={
              slice === null && (
                <Suspense>
                  <SuggestedCharts dataset={dataset} onChoose={workbench.goOnWith} />
                </Suspense>
              )
            }
          />
        }
      />
      {reports.element}
      {dialog === 'versions' && sliceId !== null && (
        <Suspense>
          <VersionsDrawer
            kind="chart"
            id={sliceId}
            name={title}
            onClose={() => setDialog(null)}
            onRestored={() => location.assign(`/explore/?slice_id=${sliceId}`)}
          />
        </Suspense>
      )}
      <SaveDialog
        key={String(dialog)}
        open={dialog === 'overwrite' || dialog === 'saveas'}
        onClose={() => setDialog(null)}
        initialMode={dialog === 'saveas' ? 'saveas' : 'overwrite'}
        chart={chart}
        form={workbench.formToSave}
        dataset={dataset}
        slice={slice}
        mayOverwrite={mayOverwrite}
        dashboardId={dashboardId}
        onSaved={workbench.settle}
      />
      {dialog === 'properties' && sliceId !== null && (
        <PropertiesDialog
          kind="chart"
          id={sliceId}
          onClose={() => setDialog(null)}
          onSaved={({ name, description }) => workbench.describe(name, description)}
        />
      )}
      {dialog === 'dataset' && (
        <SaveDatasetDialog
          onClose={() => setDialog(null)}
          source={async () => ({
            database: dataset.database.id,
            schema: dataset.schema,
            sql: (await fetchQueryTexts(buildQueryContext(chart, draft.applied)))[0] ?? '',
          })}
        />
      )}
      {dialog === 'edit' && (
        <Suspense>
          <EditDatasetDrawer
            id={dataset.id}
            onClose={() => setDialog(null)}
            onSaved={() => void queries.invalidateQueries({ queryKey: ['explore'] })}
          />
        </Suspense>
      )}
      <SwapDialog
        key={`swap.${dialog}`}
        open={dialog === 'swap'}
        onClose={() => setDialog(null)}
        form={draft.edited}
        sliceId={sliceId}
        onSwapped={onSwapped}
      />
      {drill.element}
    </div>
  )
}
