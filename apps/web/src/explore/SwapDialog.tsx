import type { ChartForm } from '@parquetry/charts'
import {
  Button,
  Dialog,
  ErrorPanel,
  Pager,
  Skeleton,
  Banner,
  TextInput,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DatasetObject } from '@parquetry/model'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { useDebounced } from '../shared/use-debounced.ts'
import { useList } from '../shared/use-resource.ts'
import { saveFormData } from './persist-form.ts'
import { findMissingFields, swapFormDataset } from './swap-form-dataset.ts'
import styles from './SwapDialog.module.css'

export interface SwapDialogProps {
  open: boolean
  onClose(): void
  form: ChartForm
  sliceId: number | null
  /** Opens the form stored under this key with the new dataset. */
  onSwapped(form_data_key: string): void
}

interface Chosen {
  id: number
  name: string
}

const pageSize = 25
const shownMissing = 12

/** DSET-014 */
const fetchDatasetMetadata = (id: number, signal?: AbortSignal): Promise<DatasetObject> =>
  api.get('/datasource/get/:type/:id/', {
    params: { type: 'table', id },
    ...(signal && { signal }),
  }) as unknown as Promise<DatasetObject>

/** Swaps the dataset of the chart: choose one, review missing fields, then carry the form over. */
export function SwapDialog({ open, onClose, form, sliceId, onSwapped }: SwapDialogProps) {
  const t = useTranslate()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [busy, setBusy] = useState(false)

  const proceed = async (): Promise<void> => {
    if (!chosen || busy) return
    setBusy(true)
    try {
      const dataset = await fetchDatasetMetadata(chosen.id)
      const swapped = swapFormDataset(form, dataset)
      const key = await saveFormData({
        form: swapped,
        dataset: { id: dataset.id, type: 'table' },
        sliceId,
        known: null,
      })
      onClose()
      toast(t('explore.swap.done', 'Dataset changed to {name}', { name: chosen.name }))
      onSwapped(key)
    } catch (failure) {
      toastError(messageOf(failure))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('explore.swap.title', 'Swap dataset')}
      width={720}
      onSubmit={() => void proceed()}
      footer={
        chosen ? (
          <>
            <Button onClick={() => setChosen(null)}>{t('explore.popover.cancel', 'Cancel')}</Button>
            <Button variant="primary" type="submit" busy={busy} data-autofocus>
              {t('explore.swap.proceed', 'Proceed')}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t('explore.popover.cancel', 'Cancel')}</Button>
        )
      }
    >
      <Banner inline tone="warning">
        {t('explore.swap.warn', 'Warning! Changing the dataset may break the chart if the metadata does not exist.')}
      </Banner>
      {chosen ? <Confirmation chosen={chosen} form={form} /> : <Choice onChoose={setChosen} />}
    </Dialog>
  )
}

/** Datasets in pages of 25, searchable by name. */
function Choice({ onChoose }: { onChoose(chosen: Chosen): void }) {
  const t = useTranslate()
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const search = useDebounced(typed.trim(), 250)
  const list = useList('dataset', {
    columns: ['id', 'table_name', 'schema', 'database.database_name', 'owners.first_name', 'owners.last_name'],
    filters: search ? [{ col: 'table_name', opr: 'ct', value: search }] : [],
    order_column: 'changed_on_delta_humanized',
    order_direction: 'desc',
    page,
    page_size: pageSize,
  })
  return (
    <>
      <TextInput
        icon="search"
        data-autofocus
        aria-label={t('explore.swap.search', 'Search datasets')}
        placeholder={t('explore.swap.search', 'Search datasets')}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setPage(0)
        }}
        clearable
      />
      {list.error ? (
        <ErrorPanel inline onRetry={() => void list.refetch()}>
          {messageOf(list.error)}
        </ErrorPanel>
      ) : !list.data ? (
        <Skeleton height={200} />
      ) : list.data.result.length === 0 ? (
        <p>{t('explore.swap.none', 'No datasets found.')}</p>
      ) : (
        <>
          <table className={styles.table} aria-busy={list.isPlaceholderData}>
            <thead>
              <tr>
                <th scope="col">{t('explore.swap.name', 'Name')}</th>
                <th scope="col">{t('explore.swap.database', 'Database')}</th>
                <th scope="col">{t('explore.swap.owner', 'Owners')}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.result.map(({ id, table_name, schema, database, owners }) => (
                <tr key={id}>
                  <th scope="row">
                    <button type="button" onClick={() => onChoose({ id, name: table_name })}>
                      {table_name}
                    </button>
                  </th>
                  <td>{[database.database_name, schema].filter(Boolean).join(' · ')}</td>
                  <td>{owners.map((owner) => `${owner.first_name} ${owner.last_name}`).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pager page={page} pageSize={pageSize} count={list.data.count} onPage={setPage} />
        </>
      )}
    </>
  )
}

/** Fields of the chart that the new dataset does not have. */
function Confirmation({ chosen, form }: { chosen: Chosen; form: ChartForm }) {
  const t = useTranslate()
  const found = useQuery({
    queryKey: ['dataset', chosen.id, 'missing', form],
    queryFn: async ({ signal }) => findMissingFields(form, await fetchDatasetMetadata(chosen.id, signal)),
    retry: false,
  })
  return (
    <>
      <p>
        {t('explore.swap.to', 'The chart will use {name}.', { name: chosen.name })}{' '}
        {t(
          'explore.swap.warning',
          'Columns, metrics and filters that the new dataset does not have stop working in this chart.',
        )}
      </p>
      {found.data &&
        (found.data.missing.length > 0 ? (
          <p role="status">
            {t('explore.swap.missing', 'Missing {n} of {of, plural, one {# field} other {# fields}}: {names}', {
              n: found.data.missing.length,
              of: found.data.of,
              names: [
                ...found.data.missing.slice(0, shownMissing),
                ...(found.data.missing.length > shownMissing ? ['…'] : []),
              ].join(', '),
            })}
          </p>
        ) : (
          <p role="status">{t('explore.swap.complete', 'The new dataset has all fields that the chart uses.')}</p>
        ))}
    </>
  )
}
