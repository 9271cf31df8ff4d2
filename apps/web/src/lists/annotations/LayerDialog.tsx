import { ApiError } from '@parquetry/client'
import { Button, Dialog, ErrorPanel, Field, Skeleton, TextArea, TextInput, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import styles from '../lists.module.css'
import type { Layer } from './annotation-list.tsx'
import { useAnnotationLayer } from './use-annotation-layer.ts'

export interface LayerDialogProps {
  /** Id of the layer to edit; null creates one. */
  id: number | null
  onClose(): void
  /** Called with the id of the created layer. */
  onCreate?(id: number): void
}

/** Name and description of a layer. */
export function LayerDialog({ id, onClose, onCreate }: LayerDialogProps) {
  const t = useTranslate()
  const layer = useAnnotationLayer(id)
  if (id === null) return <Form layer={null} onClose={onClose} onCreate={onCreate} />
  if (layer.data) return <Form layer={layer.data} onClose={onClose} onCreate={onCreate} />
  return (
    <Dialog open title={t('lists.layers.edit', 'Edit annotation layer')} onClose={onClose}>
      {layer.error ? (
        <ErrorPanel inline onRetry={() => void layer.refetch()}>
          {messageOf(layer.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}

interface FormProps {
  layer: Layer | null
  onClose(): void
  onCreate: ((id: number) => void) | undefined
}

function Form({ layer, onClose, onCreate }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [name, setName] = useState(layer?.name ?? '')
  const [descr, setDescr] = useState(layer?.descr ?? '')
  const dirty = name !== (layer?.name ?? '') || descr !== (layer?.descr ?? '')
  const nameMissing = name.trim() === '' ? t('lists.nameMissing', 'Enter a name') : undefined
  const save = useMutation({
    mutationFn: async (): Promise<number> => {
      const body = { name: name.trim(), descr: descr.trim() || null }
      if (!layer) return (await api.post('/api/v1/annotation_layer/', { body })).id
      await api.put('/api/v1/annotation_layer/:id', { params: { id: layer.id }, body })
      return layer.id
    },
    onSuccess: async (id) => {
      toast(t('lists.saved', 'Saved: {name}', { name: name.trim() }))
      onClose()
      if (!layer) onCreate?.(id)
      await queries.invalidateQueries({ queryKey: ['annotation_layer'] })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !fields['name'] && !fields['descr'] ? messageOf(save.error) : undefined
  return (
    <Dialog
      open
      title={layer ? t('lists.layers.edit', 'Edit annotation layer') : t('lists.layers.new', 'New annotation layer')}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => nameMissing === undefined && !save.isPending && (dirty ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={nameMissing}>
            {layer ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field
          label={t('lists.column.name', 'Name')}
          required
          error={(layer ? nameMissing : undefined) ?? fields['name']?.[0]}
        >
          <TextInput value={name} onChange={setName} maxLength={250} data-autofocus />
        </Field>
        <Field label={t('lists.description', 'Description')} error={fields['descr']?.[0]}>
          <TextArea value={descr} onChange={setDescr} rows={3} />
        </Field>
      </div>
    </Dialog>
  )
}
