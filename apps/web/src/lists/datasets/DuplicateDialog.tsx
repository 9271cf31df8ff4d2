import { Button, Dialog, Field, TextInput, toast, useNavigation, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'

/** Copies a virtual dataset under another name, with its columns, metrics and descriptions. */
export function DuplicateDialog({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const detail = useQuery({
    queryKey: ['dataset', 'name', id],
    queryFn: async ({ signal }) => (await api.get('/api/v1/dataset/:id', { params: { id }, signal })).result.table_name,
  })
  const name =
    typed ?? (detail.data === undefined ? '' : t('lists.datasets.copyOf', 'Copy of {name}', { name: detail.data }))
  const copy = useMutation({
    mutationFn: () => api.post('/api/v1/dataset/duplicate', { body: { base_model_id: id, table_name: name.trim() } }),
    onSuccess: async (created) => {
      await queries.invalidateQueries({ queryKey: ['dataset'] })
      toast(t('lists.datasets.duplicated', 'Dataset {name} created', { name: name.trim() }))
      go(`/dataset/${created.id}`)
    },
  })
  const missing = name.trim() === '' ? t('lists.nameMissing', 'Enter a name') : undefined
  return (
    <Dialog
      open
      title={t('lists.datasets.duplicateTitle', 'Duplicate dataset')}
      onClose={onClose}
      onSubmit={() => missing === undefined && copy.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={copy.isPending} disabledReason={missing}>
            {t('lists.datasets.duplicate', 'Duplicate')}
          </Button>
        </>
      }
    >
      <Field label={t('lists.column.name', 'Name')} error={copy.error ? messageOf(copy.error) : undefined}>
        <TextInput
          value={name}
          onChange={(value) => {
            setTyped(value)
            copy.reset()
          }}
          maxLength={250}
          data-autofocus
        />
      </Field>
    </Dialog>
  )
}
