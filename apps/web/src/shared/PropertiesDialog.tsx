import { ApiError } from '@parquetry/client'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  NumberInput,
  Skeleton,
  Banner,
  TextArea,
  TextInput,
  toast,
  useTranslate,
  type Translate,
} from '@parquetry/ui'
import type { ChartDetail, DashboardDetail, DatasetDetail, SubjectSummary } from '@parquetry/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from './api.ts'
import { managedDatasetText } from './dataset-texts.ts'
import { messageOf } from './errors.ts'
import { hasViewers } from './features.ts'
import { loadSubjects } from './related-options.ts'
import { canEditTags } from './tags/has-tags.ts'
import { customTagNames, ensureTags, saveObjectTags } from './tags/save-tags.ts'
import { TagsField } from './tags/TagsField.tsx'
import styles from './PropertiesDialog.module.css'

interface Details {
  dashboard: DashboardDetail
  chart: ChartDetail
  dataset: DatasetDetail
}
type Kind = keyof Details
type Detail = Details[Kind]

/** Name field and optional fields of each kind. */
const resourceFields = {
  dashboard: {
    name: 'dashboard_title',
    columns: ['dashboard_title', 'slug', 'editors', 'certified_by', 'certification_details'],
  },
  chart: {
    name: 'slice_name',
    columns: [
      'slice_name',
      'description',
      'editors',
      'viewers',
      'certified_by',
      'certification_details',
      'cache_timeout',
    ],
  },
  dataset: { name: 'table_name', columns: ['table_name', 'description', 'editors'] },
} as const satisfies { [K in Kind]: { name: keyof Details[K]; columns: readonly (keyof Details[K])[] } }

export interface PropertiesDialogProps {
  kind: Kind
  id: number
  onClose(): void
  /** Receives the new name and description. */
  onSaved?: (saved: { name: string; description: string }) => void
}

/** Edits name, description, owners, certification and cache time of one object. */
export function PropertiesDialog({ kind, id, onClose, onSaved }: PropertiesDialogProps) {
  const t = useTranslate()
  const detail = useQuery({
    queryKey: [kind, 'properties', id],
    queryFn: async ({ signal }) => (await api.get(`/api/v1/${kind}/:id`, { params: { id }, signal })).result,
    gcTime: 0,
  })
  const title = t('lists.properties', 'Properties')
  if (detail.data)
    return <Form kind={kind} id={id} detail={detail.data} title={title} onClose={onClose} onSaved={onSaved} />
  return (
    <Dialog open title={title} onClose={onClose}>
      {detail.error ? (
        <ErrorPanel inline onRetry={() => void detail.refetch()}>
          {fetchFailed(kind, detail.error, t)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={28} />
          <Skeleton height={28} />
        </div>
      )}
    </Dialog>
  )
}

interface FormProps extends PropertiesDialogProps {
  detail: Detail
  title: string
}

/** LIST-029, LIST-030: reading and saving fail with the same message. */
const fetchFailed = (kind: Kind, error: Error, t: Translate): string =>
  t('lists.fetchFailed', 'An error occurred while fetching {nouns}: {message}', {
    nouns: {
      dashboard: t('lists.dashboards.many', 'dashboards'),
      chart: t('lists.charts.many', 'charts'),
      dataset: t('lists.datasets.many', 'datasets'),
    }[kind],
    message: messageOf(error),
  })

/** PERM-024 */
const managedText = (kind: Kind, t: Translate): string =>
  kind === 'dataset'
    ? managedDatasetText(t)
    : kind === 'chart'
      ? t('lists.charts.managed', "This chart is managed externally, and can't be edited in Parquetry")
      : t('lists.dashboards.managed', "This dashboard is managed externally, and can't be edited in Parquetry")

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Chosen users, roles and groups; ids are text because the picker's are. */
function useSubjects(stored: readonly SubjectSummary[]) {
  const before = stored.map(({ id }) => String(id))
  const [ids, set] = useState(before)
  return {
    ids,
    set,
    isChanged: ids.join() !== before.join(),
    labelOf: (value: string) => stored.find(({ id }) => String(id) === value)?.label,
  }
}

function Form({ kind, id, detail, title, onClose, onSaved }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const { name, columns } = resourceFields[kind]
  const has = (column: string): boolean => (columns as readonly string[]).includes(column)
  const [texts, setTexts] = useState<Record<string, string>>(
    Object.fromEntries(
      columns
        .filter((column) => column !== 'editors' && column !== 'viewers' && column !== 'cache_timeout')
        .map((column) => [column, toText((detail as Record<string, unknown>)[column])]),
    ),
  )
  const editors = useSubjects(detail.editors)
  const viewers = useSubjects((detail as { viewers?: SubjectSummary[] }).viewers ?? [])
  const changedTexts = Object.fromEntries(
    Object.entries(texts).filter(([column, text]) => text !== toText((detail as Record<string, unknown>)[column])),
  )
  const timeout = (detail as { cache_timeout?: number | null }).cache_timeout ?? null
  const [cacheTimeout, setCacheTimeout] = useState(timeout)
  const tagNames = customTagNames(detail.tags)
  const [tags, setTags] = useState(tagNames)
  const tagsChanged = tags.join() !== tagNames.join()
  const dirty =
    editors.isChanged ||
    viewers.isChanged ||
    tagsChanged ||
    cacheTimeout !== timeout ||
    Object.keys(changedTexts).length > 0

  const save = useMutation({
    mutationFn: async () => {
      if (tagsChanged && kind === 'dataset') await saveObjectTags(kind, id, tagNames, tags)
      await api.put(`/api/v1/${kind}/:id`, {
        params: { id },
        body: {
          ...changedTexts,
          ...(tagsChanged && kind !== 'dataset' && { tags: (await ensureTags(tags)).map((tag) => tag.id) }),
          ...(editors.isChanged && { editors: editors.ids.map(Number) }),
          ...(viewers.isChanged && { viewers: viewers.ids.map(Number) }),
          ...(cacheTimeout !== timeout && { cache_timeout: cacheTimeout }),
        },
      })
    },
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name: texts[name] }))
      onSaved?.({ name: texts[name] ?? '', description: texts['description'] ?? '' })
      onClose()
      await queries.invalidateQueries({ queryKey: [kind] })
      if (tagsChanged) await queries.invalidateQueries({ queryKey: ['tag'] })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const errorOf = (column: string): string | undefined => fields[column]?.[0]
  const other = save.error && Object.keys(fields).length === 0 ? fetchFailed(kind, save.error, t) : undefined
  const text = (column: string) => ({
    value: texts[column] ?? '',
    onChange: (value: string) => setTexts({ ...texts, [column]: value }),
  })
  const nameMissing = texts[name]?.trim() === '' ? t('lists.nameMissing', 'Enter a name') : undefined
  const managed = detail.is_managed_externally ? managedText(kind, t) : undefined
  return (
    <Dialog
      open
      title={title}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => managed === undefined && nameMissing === undefined && (dirty ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={managed ?? nameMissing}>
            {t('lists.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {managed && <Banner inline>{managed}</Banner>}
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field label={t('lists.column.name', 'Name')} error={nameMissing ?? errorOf(name)}>
          <TextInput {...text(name)} maxLength={250} data-autofocus />
        </Field>
        {has('slug') && (
          <Field
            label={t('lists.slug', 'URL slug')}
            error={errorOf('slug')}
            help={t('lists.slugHelp', 'Used in the URL instead of the ID.')}
          >
            <TextInput {...text('slug')} maxLength={255} />
          </Field>
        )}
        {has('description') && (
          <Field
            label={t('lists.description', 'Description')}
            error={errorOf('description')}
            help={
              kind === 'chart'
                ? t('lists.descriptionHelp', 'Supports Markdown. Shown with the chart on dashboards.')
                : undefined
            }
          >
            <TextArea {...text('description')} rows={3} />
          </Field>
        )}
        <Field label={t('lists.column.owners', 'Owners')} error={errorOf('editors')}>
          <MultiSelect
            value={editors.ids}
            onChange={editors.set}
            load={loadSubjects(kind, 'editors')}
            labelOf={editors.labelOf}
          />
        </Field>
        {has('viewers') && hasViewers() && kind !== 'dataset' && (
          <Field
            label={t('lists.viewers', 'Viewers')}
            error={errorOf('viewers')}
            help={t(
              'lists.viewersHelp',
              'If you choose any, only they, the owners and administrators can see the chart. Viewers may also need access to its dataset to see its data.',
            )}
          >
            <MultiSelect
              value={viewers.ids}
              onChange={viewers.set}
              load={loadSubjects(kind, 'viewers')}
              labelOf={viewers.labelOf}
            />
          </Field>
        )}
        {canEditTags && <TagsField value={tags} onChange={setTags} error={errorOf('tags') ?? errorOf('name')} />}
        {has('cache_timeout') && (
          <Field
            label={t('lists.cacheTimeout', 'Cache timeout')}
            error={errorOf('cache_timeout')}
            help={t(
              'lists.cacheTimeoutHelp',
              'In seconds. Enter -1 to turn off caching. Leave empty to use the dataset’s cache timeout.',
            )}
          >
            <NumberInput value={cacheTimeout} onChange={setCacheTimeout} integer min={-1} />
          </Field>
        )}
        {has('certified_by') && (
          <div className={styles.two}>
            <Field label={t('lists.certifiedBy', 'Certified by')} error={errorOf('certified_by')}>
              <TextInput {...text('certified_by')} />
            </Field>
            <Field label={t('lists.certification', 'Certification details')} error={errorOf('certification_details')}>
              <TextInput {...text('certification_details')} />
            </Field>
          </div>
        )}
      </div>
    </Dialog>
  )
}
