import { ApiError } from '@parquetry/client'
import { Button, Dialog, ErrorPanel, Field, Skeleton, TextArea, TextInput, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { cssErrorText } from '../../shared/css-error-text.ts'
import { messageOf } from '../../shared/errors.ts'
import styles from '../lists.module.css'

export interface CssTemplateDialogProps {
  /** Id of the template to edit; null creates one. */
  id: number | null
  mayWrite: boolean
  onClose(): void
}

interface CssTemplate {
  id: number
  name: string
  css: string
}

/** Name and style sheet of a template. */
export function CssTemplateDialog({ id, mayWrite, onClose }: CssTemplateDialogProps) {
  const t = useTranslate()
  const template = useQuery({
    queryKey: ['css_template', 'item', id],
    queryFn: async ({ signal }): Promise<CssTemplate> => {
      const { result } = await api.get('/api/v1/css_template/:id', { params: { id: id ?? -1 }, signal })
      const { template_name, css } = result as { template_name?: string | null; css?: string | null }
      return { id: id ?? -1, name: template_name ?? '', css: css ?? '' }
    },
    enabled: id !== null,
  })
  if (id === null || template.data)
    return <Form template={id === null ? null : (template.data ?? null)} mayWrite={mayWrite} onClose={onClose} />
  return (
    <Dialog open title={t('lists.cssTemplates.edit', 'Edit CSS template')} onClose={onClose}>
      {template.error ? (
        <ErrorPanel inline onRetry={() => void template.refetch()}>
          {messageOf(template.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={240} />
        </div>
      )}
    </Dialog>
  )
}

interface FormProps {
  template: CssTemplate | null
  mayWrite: boolean
  onClose(): void
}

function Form({ template, mayWrite, onClose }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [name, setName] = useState(template?.name ?? '')
  const [css, setCss] = useState(template?.css ?? '')
  const dirty = name !== (template?.name ?? '') || css !== (template?.css ?? '')
  const nameMissing = name.trim() === '' ? t('lists.nameMissing', 'Enter a name') : undefined
  const cssError = cssErrorText(t, css)
  const blocked = nameMissing ?? cssError
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const body = { template_name: name.trim(), css }
      if (template) await api.put('/api/v1/css_template/:id', { params: { id: template.id }, body })
      else await api.post('/api/v1/css_template/', { body })
    },
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name: name.trim() }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['css_template'] })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !fields['template_name'] && !fields['css'] ? messageOf(save.error) : undefined
  const title = template
    ? mayWrite
      ? t('lists.cssTemplates.edit', 'Edit CSS template')
      : template.name
    : t('lists.cssTemplates.new', 'New CSS template')
  return (
    <Dialog
      open
      title={title}
      width={720}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => blocked === undefined && !save.isPending && (dirty ? save.mutate() : onClose())}
      footer={
        mayWrite ? (
          <>
            <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabledReason={blocked}>
              {template ? t('lists.save', 'Save') : t('lists.make', 'Create')}
            </Button>
          </>
        ) : undefined
      }
    >
      <div className={styles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field
          label={t('lists.column.name', 'Name')}
          required
          error={(template ? nameMissing : undefined) ?? fields['template_name']?.[0]}
        >
          <TextInput value={name} onChange={setName} maxLength={250} readOnly={!mayWrite} data-autofocus />
        </Field>
        <Field
          label={t('lists.cssTemplates.css', 'CSS')}
          help={t(
            'lists.cssTemplates.cssHelp',
            'Copied into a dashboard when an editor chooses the template in its properties. Later changes do not reach those dashboards.',
          )}
          error={cssError ?? fields['css']?.[0]}
        >
          <TextArea value={css} onChange={setCss} rows={14} mono spellCheck={false} readOnly={!mayWrite} />
        </Field>
      </div>
    </Dialog>
  )
}
