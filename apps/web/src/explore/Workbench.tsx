import { buildQueryContext, withRenames } from '@parquetry/charts'
import { useText, type MenuItem } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '../shared/lazy-part.tsx'
import { can } from '../shared/rights.ts'
import { useDrill } from '../shared/drill/use-drill.tsx'
import { PropertiesDialog } from '../shared/PropertiesDialog.tsx'
import { LostStrip } from '../shared/lost-names/LostStrip.tsx'
import { SaveDatasetDialog } from '../shared/SaveDatasetDialog.tsx'
import { chartPicture } from '../shared/chart-picture.ts'
import { usePictures } from '../shared/use-pictures.ts'
import { fieldFor, withColumn, withMetric } from './best-slot.ts'
import { ControlPanel } from './ControlPanel.tsx'
import { DataPanel } from './DataPanel.tsx'
import { ExploreHeader } from './ExploreHeader.tsx'
import { LostNamesContext, useLostInForm } from './LostNames.tsx'
import type { Opened } from './opened.ts'
import { Panes } from './Panes.tsx'
import { Picture } from './Picture.tsx'
import { ResultsPane, type Part } from './ResultsPane.tsx'
import { SaveDialog, type Way } from './SaveDialog.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import { queryTexts } from './use-behind.ts'
import { datasourceKey, type ExploreDocument } from './use-explore.ts'
import { useIsUncharted } from './use-is-uncharted.ts'
import { useWorkbench } from './use-workbench.ts'
import { useWorkbenchCommands } from './use-workbench-commands.ts'
import styles from './Explore.module.css'

const FirstPictures = lazyPart(async () => (await import('./FirstPictures.tsx')).FirstPictures)
const VersionsDrawer = lazyPart(async () => (await import('../shared/history/VersionsDrawer.tsx')).VersionsDrawer)
const EditDatasetDrawer = lazyPart(
  async () => (await import('../shared/dataset-editor/EditDatasetDrawer.tsx')).EditDatasetDrawer,
)

export interface WorkbenchProps {
  document: ExploreDocument
  opened: Opened
  dashboardId: number | null
  /** The chart has an address of its own from now on, and goes on here. */
  onSaved(id: number, name: string): void
  /** Another dataset was put under the chart; the form that goes with it is kept under this key. */
  onSwapped(form_data_key: string): void
}

/** Dataset, controls and picture beside each other: the chart being made. */
export function Workbench({ document, opened, dashboardId, onSaved, onSwapped }: WorkbenchProps) {
  const t = useText()
  const workbench = useWorkbench(document, opened, onSaved)
  const { chart, data, dataset, draft, mayOverwrite, outOfDate, slice, sliceId, title } = workbench
  const [dialog, setDialog] = useState<Way | 'swap' | 'dataset' | 'edit' | 'properties' | 'versions' | null>(null)
  const queries = useQueryClient()
  const [chosenPart, setPart] = useState<Part | null>(null)
  const isUncharted = useIsUncharted(slice === null ? dataset : null)
  const part = chosenPart === 'first' && slice ? 'results' : (chosenPart ?? (isUncharted ? 'first' : 'results'))
  const put = ({ name, value }: { name: string; value: unknown }): void => workbench.set(name, value)
  const lost = useLostInForm(chart, draft.edited, dataset)
  const { update, save, saveAs, undo, redo, downloads } = useWorkbenchCommands(workbench, setDialog)

  const pictures = usePictures(
    (asked) => chartPicture(asked, { form_data: draft.applied, title, state: workbench.state }),
    title,
  )
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
    <Picture
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
        shared={{ ...draft.edited, datasource: datasourceKey(dataset), ...(sliceId !== null && { slice_id: sliceId }) }}
        audience={t('explore.audience', 'All users with access to {dataset} can open this link.', {
          dataset: dataset.table_name,
        })}
      />
      <LostStrip lost={lost} onUse={(renames) => workbench.goOnWith(withRenames(chart, draft.edited, renames))} />
      <Panes
        data={
          <DataPanel
            dataset={dataset}
            onAddMetric={(name) => put(withMetric(draft.edited, fieldFor(chart, 'metric'), name))}
            onAddColumn={(name) => put(withColumn(draft.edited, chart, name))}
            onEdit={() => setDialog('edit')}
            onSwap={() => setDialog('swap')}
            onQuery={() => setPart('query')}
            onSave={() => setDialog('dataset')}
          />
        }
        controls={
          <LostNamesContext value={lost}>
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
              updatesItself={workbench.itself.isOn}
              onUpdatesItself={workbench.itself.set}
            />
          </LostNamesContext>
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
                  <FirstPictures dataset={dataset} onChoose={workbench.goOnWith} />
                </Suspense>
              )
            }
          />
        }
      />
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
        begin={dialog === 'saveas' ? 'saveas' : 'overwrite'}
        chart={chart}
        form={draft.edited}
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
            sql: (await queryTexts(buildQueryContext(chart, draft.applied)))[0] ?? '',
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
