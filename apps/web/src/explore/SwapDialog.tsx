import type { ChartForm } from '@parquetry/charts'
import { Button, Dialog, ErrorPanel, Field, Select, toast, useText } from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { keepForm } from './remember.ts'

export interface SwapDialogProps {
  open: boolean
  onClose(): void
  form: ChartForm
  sliceId: number | null
  /** Opens the form that was kept with the new dataset under this key. */
  onSwapped(form_data_key: string): void
}

/** Puts another dataset under the chart: the form goes along, and what the new dataset lacks is marked in it. */
export function SwapDialog({ open, onClose, form, sliceId, onSwapped }: SwapDialogProps) {
  const t = useText()
  const [chosen, setChosen] = useState<{ id: number; name: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const swap = async (): Promise<void> => {
    if (!chosen) return
    setBusy(true)
    setError(null)
    try {
      const swapped = { ...form, datasource: `${chosen.id}__table` }
      const key = await keepForm({ form: swapped, dataset: { id: chosen.id, type: 'table' }, sliceId, known: null })
      toast(t('explore.swap.done', 'Dataset changed to {name}', { name: chosen.name }))
      onSwapped(key)
    } catch (failure) {
      setError(messageOf(failure))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('explore.swap.title', 'Swap dataset')}
      width={480}
      onSubmit={() => void swap()}
      footer={
        <>
          <Button onClick={onClose}>{t('explore.popover.cancel', 'Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            busy={busy}
            disabledReason={chosen ? undefined : t('explore.swap.first', 'Choose a dataset first')}
          >
            {t('explore.swap.do', 'Swap dataset')}
          </Button>
        </>
      }
    >
      {error && <ErrorPanel inline>{error}</ErrorPanel>}
      <p>
        {t(
          'explore.swap.warning',
          'Columns, metrics and filters that the new dataset does not have stop working in this chart.',
        )}
      </p>
      <Field label={t('explore.swap.dataset', 'Dataset')}>
        <Select<number>
          data-autofocus
          value={chosen?.id ?? null}
          selectedLabel={chosen?.name}
          onChange={(id, option) => setChosen(id === null ? null : { id, name: option?.label ?? String(id) })}
          load={async (search, page, signal) => {
            const filters = search ? [{ col: 'table_name', opr: 'ct', value: search }] : []
            const { count, result } = await api.get('/api/v1/dataset/', {
              q: { columns: ['id', 'table_name'], filters, page, page_size: 50 },
              signal,
            })
            return { options: result.map(({ id, table_name }) => ({ value: id, label: table_name })), count }
          }}
        />
      </Field>
    </Dialog>
  )
}
