import { ApiError } from '@parquetry/client'
import { Button, Dialog, ErrorPanel, Field, Skeleton, TextArea, TextInput, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { jsonErrorText } from '../../shared/json-error.ts'
import styles from '../lists.module.css'
import {
  changedBody,
  toAnnotationDraft,
  emptyAnnotationDraft,
  newBody,
  validateAnnotation,
  withStart,
  type AnnotationDraft,
  type StoredAnnotation,
} from './annotation-draft.ts'
import { formatAnnotationSpan } from './annotation-times.ts'

export interface AnnotationDialogProps {
  layer: number
  /** Null for a new one. */
  id: number | null
  /** If false, the annotation is read-only. */
  mayWrite: boolean
  onClose(): void
}

/** Shows or edits one annotation: name, time, description and metadata. */
export function AnnotationDialog({ layer, id, mayWrite, onClose }: AnnotationDialogProps) {
  const t = useTranslate()
  const stored = useQuery({
    queryKey: ['annotation_layer', 'annotation', layer, id],
    queryFn: async ({ signal }) => {
      const params = { id: layer, annotation_id: id ?? -1 }
      const { result } = await api.get('/api/v1/annotation_layer/:id/annotation/:annotation_id', { params, signal })
      return result as unknown as StoredAnnotation
    },
    enabled: id !== null,
    gcTime: 0,
  })
  if (id === null) return <Form layer={layer} id={null} before={emptyAnnotationDraft} onClose={onClose} />
  if (stored.data && !mayWrite) return <Shown annotation={stored.data} onClose={onClose} />
  if (stored.data) return <Form layer={layer} id={id} before={toAnnotationDraft(stored.data)} onClose={onClose} />
  const isNotFound = stored.error instanceof ApiError && stored.error.status === 404
  return (
    <Dialog open title={t('lists.annotations.title.one', 'Annotation')} onClose={onClose}>
      {isNotFound ? (
        <p>{t('lists.annotations.gone', 'This annotation was deleted, or the link is wrong.')}</p>
      ) : stored.error ? (
        <ErrorPanel inline onRetry={() => void stored.refetch()}>
          {messageOf(stored.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={28} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}

function Shown({ annotation, onClose }: { annotation: StoredAnnotation; onClose(): void }) {
  const t = useTranslate()
  const { short_descr, start_dttm, end_dttm, long_descr, json_metadata } = annotation
  return (
    <Dialog
      open
      title={short_descr}
      onClose={onClose}
      footer={
        <Button onClick={onClose} data-autofocus>
          {t('lists.close', 'Close')}
        </Button>
      }
    >
      <div className={styles.form}>
        <p>{`${formatAnnotationSpan(start_dttm, end_dttm)} UTC`}</p>
        {long_descr && <p className={styles.long}>{long_descr}</p>}
        {json_metadata && <pre className={styles.metadata}>{json_metadata}</pre>}
      </div>
    </Dialog>
  )
}

interface FormProps {
  layer: number
  id: number | null
  before: AnnotationDraft
  onClose(): void
}

function Form({ layer, id, before: first, onClose }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  // A refetch must not overwrite edits.
  const [before] = useState(first)
  const [draft, setDraft] = useState(before)
  const [isTried, setTried] = useState(false)
  const [isRead, setRead] = useState(false)
  const dirty = Object.entries(draft).some(([field, text]) => text !== before[field as keyof AnnotationDraft])
  const problems = validateAnnotation(draft)

  const save = useMutation({
    mutationFn: async () => {
      if (id === null)
        await api.post('/api/v1/annotation_layer/:id/annotation/', { params: { id: layer }, body: newBody(draft) })
      else
        await api.put('/api/v1/annotation_layer/:id/annotation/:annotation_id', {
          params: { id: layer, annotation_id: id },
          body: changedBody(draft, before),
        })
    },
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name: draft.short_descr.trim() }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['annotation_layer'] })
    },
  })
  const refused = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !Object.keys(refused).some((field) => field in draft) ? messageOf(save.error) : undefined
  const missing = {
    short_descr: t('lists.nameMissing', 'Enter a name'),
    start_dttm: t('lists.annotations.startMissing', 'Enter a start time'),
    end_dttm: t('lists.annotations.endMissing', 'Enter an end time'),
    long_descr: '',
    json_metadata: '',
  }
  const errorOf = (field: keyof AnnotationDraft): string | undefined => {
    const problem = problems[field]
    if (problem === 'early') return t('lists.annotations.early', 'The end is before the start')
    // Half-typed JSON is not an error before blur.
    if (problem === 'json' && (isTried || isRead))
      return jsonErrorText(draft.json_metadata, t) ?? t('lists.annotations.json', 'This is not valid JSON')
    if (problem === 'missing' && isTried) return missing[field]
    return refused[field]?.[0]
  }
  const update = (patch: Partial<AnnotationDraft>): void => {
    setDraft({ ...draft, ...patch })
    if (save.isError) save.reset()
  }
  return (
    <Dialog
      open
      title={
        id === null ? t('lists.annotations.new', 'New annotation') : t('lists.annotations.edit', 'Edit annotation')
      }
      width={720}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (save.isPending || Object.keys(problems).length > 0) return
        if (dirty) save.mutate()
        else onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {id === null ? t('lists.make', 'Create') : t('lists.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field label={t('lists.column.name', 'Name')} required error={errorOf('short_descr')}>
          <TextInput
            value={draft.short_descr}
            onChange={(short_descr) => update({ short_descr })}
            maxLength={500}
            data-autofocus
          />
        </Field>
        <div className={styles.two}>
          <Field label={t('lists.annotations.start', 'Start (UTC)')} required error={errorOf('start_dttm')}>
            <TextInput
              type="datetime-local"
              step={1}
              value={draft.start_dttm}
              onChange={(start) => update(withStart(draft, start))}
            />
          </Field>
          <Field
            label={t('lists.annotations.end', 'End (UTC)')}
            required
            error={errorOf('end_dttm')}
            help={t('lists.annotations.endHelp', 'For a point in time, use the same value as the start.')}
          >
            <TextInput
              type="datetime-local"
              step={1}
              value={draft.end_dttm}
              onChange={(end_dttm) => update({ end_dttm })}
            />
          </Field>
        </div>
        <Field label={t('lists.description', 'Description')} error={errorOf('long_descr')}>
          <TextArea value={draft.long_descr} onChange={(long_descr) => update({ long_descr })} rows={3} />
        </Field>
        <Field
          label={t('lists.annotations.metadata', 'JSON metadata')}
          help={t('lists.annotations.metadataHelp', 'Stored with the annotation for use by other tools.')}
          error={errorOf('json_metadata')}
        >
          <TextArea
            value={draft.json_metadata}
            onChange={(json_metadata) => {
              setRead(false)
              update({ json_metadata })
            }}
            onBlur={() => setRead(true)}
            rows={3}
            mono
            spellCheck={false}
          />
        </Field>
      </div>
    </Dialog>
  )
}
