import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  RadioGroup,
  Select,
  TextInput,
  toastError,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from './errors.ts'
import {
  fetchChartNames,
  createDataset,
  defaultDatasetName,
  createExploreUrl,
  overwriteDataset,
  searchOwnDatasets,
  type DatasetSource,
} from './dataset-calls.ts'

export interface SaveDatasetDialogProps {
  /** The query to save, read on save: its SQL may have to be fetched. */
  source(): DatasetSource | Promise<DatasetSource>
  onClose(): void
}

/** Saves a query as a new virtual dataset or overwrites one after confirmation, then opens Explore on it. */
export function SaveDatasetDialog({ source, onClose }: SaveDatasetDialogProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [mode, setMode] = useState<'new' | 'overwrite'>('new')
  const [name, setName] = useState(() => defaultDatasetName(new Date()))
  const [chosen, setChosen] = useState<{ id: number; name: string } | null>(null)
  const [isConfirming, setConfirming] = useState(false)

  const save = useMutation({
    mutationFn: async () => {
      const { sql, ...origin } = await source()
      const datasetSource = { ...origin, sql: sql.trim().replace(/;\s*$/, '') }
      if (mode === 'new') return createExploreUrl(await createDataset(name.trim(), datasetSource))
      if (!chosen) throw new Error('no dataset is chosen')
      await overwriteDataset(chosen.id, datasetSource)
      return createExploreUrl(chosen.id)
    },
    onSuccess: (address) => {
      void queries.invalidateQueries({ queryKey: ['dataset'] })
      onClose()
      go(address)
    },
    onError: (error) => {
      setConfirming(false)
      toastError(`${t('shared.dataset.failed', 'An error occurred saving dataset')}: ${messageOf(error)}`)
    },
  })
  const missing =
    mode === 'new'
      ? name.trim() === ''
        ? t('shared.dataset.nameFirst', 'Enter a name')
        : undefined
      : chosen
        ? undefined
        : t('shared.dataset.chooseFirst', 'Choose a dataset')
  const submit = (): void => {
    if (missing || save.isPending) return
    if (mode === 'overwrite' && !isConfirming) setConfirming(true)
    else save.mutate()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('shared.dataset.title', 'Save as dataset')}
      width={480}
      onSubmit={submit}
      footer={
        <>
          {isConfirming ? (
            <Button onClick={() => setConfirming(false)}>{t('shared.dataset.back', 'Back')}</Button>
          ) : (
            <Button onClick={onClose}>{t('shared.dataset.cancel', 'Cancel')}</Button>
          )}
          <Button
            variant={isConfirming ? 'danger' : 'primary'}
            type="submit"
            busy={save.isPending}
            disabledReason={missing}
          >
            {mode === 'new'
              ? t('shared.dataset.save', 'Save and explore')
              : t('shared.dataset.overwrite', 'Overwrite and explore')}
          </Button>
        </>
      }
    >
      {isConfirming && chosen ? (
        <Confirmation dataset={chosen} />
      ) : (
        <>
          <RadioGroup
            label={t('shared.dataset.mode', 'Save options')}
            value={mode}
            onChange={setMode}
            options={[
              { value: 'new', label: t('shared.dataset.new', 'Save as new') },
              { value: 'overwrite', label: t('shared.dataset.existing', 'Overwrite existing') },
            ]}
          />
          {mode === 'new' ? (
            <Field label={t('shared.dataset.name', 'Name')} required>
              <TextInput value={name} onChange={setName} data-autofocus />
            </Field>
          ) : (
            <Field label={t('shared.dataset.which', 'Dataset to overwrite')} required>
              <Select
                value={chosen?.id ?? null}
                selectedLabel={chosen?.name}
                load={searchOwnDatasets}
                placeholder={t('shared.dataset.search', 'Search by name')}
                onChange={(id, option) => setChosen(id === null ? null : { id, name: option?.label ?? String(id) })}
              />
            </Field>
          )}
        </>
      )}
    </Dialog>
  )
}

/** Lists the charts affected by overwriting. */
function Confirmation({ dataset }: { dataset: { id: number; name: string } }) {
  const t = useTranslate()
  const charts = useQuery({
    queryKey: ['dataset', 'charts', dataset.id],
    queryFn: ({ signal }) => fetchChartNames(dataset.id, signal),
  })
  return (
    <>
      <p>{t('shared.dataset.sure', 'Are you sure you want to overwrite this dataset?')}</p>
      <p>
        <strong>{dataset.name}</strong>
        {charts.data &&
          ` · ${t('shared.dataset.users', '{n, plural, =0 {not used in any chart} one {used in # chart} other {used in # charts}}', { n: charts.data.length })}`}
      </p>
      {charts.isError && <ErrorPanel inline>{messageOf(charts.error)}</ErrorPanel>}
      {charts.data && charts.data.length > 0 && (
        <ul>
          {charts.data.slice(0, shownCharts).map((chart, index) => (
            <li key={index}>{chart}</li>
          ))}
          {charts.data.length > shownCharts && (
            <li>{t('shared.dataset.moreUsers', 'and {n} more', { n: charts.data.length - shownCharts })}</li>
          )}
        </ul>
      )}
    </>
  )
}

const shownCharts = 8
