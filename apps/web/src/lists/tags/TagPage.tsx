import { ApiError } from '@parquetry/client'
import type { TaggedObject, TaggedTypeName } from '@parquetry/model'
import { tagTypes } from '@parquetry/model/tag-types'
import {
  Button,
  confirm,
  EmptyState,
  ErrorPanel,
  Icon,
  Link,
  PageHeader,
  toast,
  toastError,
  useNavigation,
  useTranslate,
  type IconName,
  type Translate,
} from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { usePage } from '../../shared/page.ts'
import { canSeeTags } from '../../shared/tags/has-tags.ts'
import { useTitle } from '../../shared/use-title.ts'
import lists from '../lists.module.css'
import { ListSkeleton } from '../ListSkeleton.tsx'
import { tag as tagPage } from '../pages.ts'
import { NoTag } from './NoTag.tsx'
import { describeTagRemoval, mayChangeTag } from './tag-list.tsx'
import { TagDialog } from './TagDialog.tsx'
import styles from './tags.module.css'
import { useTag, type TagDetails } from './use-tag.ts'

const types: readonly { name: TaggedTypeName; icon: IconName }[] = [
  { name: 'dashboard', icon: 'dashboard' },
  { name: 'chart', icon: 'chart' },
  { name: 'dataset', icon: 'dataset' },
  { name: 'query', icon: 'query' },
]

const typeTitles = (t: Translate): Record<TaggedTypeName, string> => ({
  dashboard: t('lists.dashboards.title', 'Dashboards'),
  chart: t('lists.charts.title', 'Charts'),
  dataset: t('lists.datasets.title', 'Datasets'),
  query: t('lists.queries.title', 'Saved queries'),
})

const nameOf = ({ type, name }: TaggedObject, t: Translate): string => {
  if (name) return name
  if (type === 'dashboard') return t('app.untitled', '[ untitled dashboard ]')
  return type === 'chart'
    ? t('lists.charts.untitled', '[ untitled chart ]')
    : t('lists.queries.untitled', '[ untitled query ]')
}

/** All objects with one tag, by type: `?id=3`. */
export function TagPage() {
  const { search } = usePage(tagPage)
  const id = /^\d{1,10}$/.test(search['id'] ?? '') ? Number(search['id']) : null
  const tag = useTag(canSeeTags ? id : null)
  if (tag.data) return <OneTag key={tag.data.id} tag={tag.data} />
  if (!canSeeTags || id === null || (tag.error instanceof ApiError && tag.error.status === 404)) return <NoTag />
  return (
    <div className={lists.page}>
      <div className={lists.content}>
        {tag.error ? (
          <ErrorPanel onRetry={() => void tag.refetch()}>{messageOf(tag.error)}</ErrorPanel>
        ) : (
          <ListSkeleton cards={false} columns={3} />
        )}
      </div>
    </div>
  )
}

function OneTag({ tag }: { tag: TagDetails }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  useTitle([tag.name])
  const { data, error, refetch } = useQuery({
    queryKey: ['tag', 'objects', tag.id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/tag/get_objects/', { query: { tagIds: String(tag.id) }, signal })).result,
  })
  const mayChange = tag.type === tagTypes.custom && mayChangeTag(tag)

  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: t('lists.delete.title', 'Delete {what}?', { what: `${t('tags.one', 'tag')} ${tag.name}` }),
      body: describeTagRemoval(t, 1, data?.length ?? 0),
      action: t('lists.delete.action', 'Delete {what}', { what: t('tags.one', 'tag') }),
    })
    if (!yes) return
    try {
      await api.del('/api/v1/tag/:id', { params: { id: tag.id } })
      toast(t('lists.deleted', 'Deleted: {names}', { names: tag.name }))
      go('/superset/tags/')
      await queries.invalidateQueries({ queryKey: ['tag', 'list'] })
    } catch (failure) {
      toastError(
        t('lists.delete.oneFailed', 'There was an issue deleting {name}: {message}', {
          name: tag.name,
          message: messageOf(failure),
        }),
      )
    }
  }

  return (
    <div className={lists.page}>
      <PageHeader
        title={tag.name}
        crumbs={[{ label: t('tags.title', 'Tags'), href: '/superset/tags/' }]}
        marks={data && <span className={lists.count}>{formatNumber(data.length)}</span>}
        actions={
          mayChange && (
            <>
              <Button icon="edit" onClick={() => setEditing(true)}>
                {t('tags.editAction', 'Edit')}
              </Button>
              <Button icon="trash" onClick={() => void remove()}>
                {t('lists.delete', 'Delete')}
              </Button>
            </>
          )
        }
      />
      <div className={lists.content}>
        {tag.description && <p className={lists.note}>{tag.description}</p>}
        {error && !data ? (
          <ErrorPanel onRetry={() => void refetch()}>{messageOf(error)}</ErrorPanel>
        ) : !data ? (
          <ListSkeleton cards={false} columns={3} />
        ) : data.length === 0 ? (
          <EmptyState title={t('tags.unused', 'No objects have this tag')}>
            {t('tags.unusedText', 'Add it in the properties of a dashboard, chart, dataset or saved query.')}
          </EmptyState>
        ) : (
          types.map(({ name, icon }) => (
            <ObjectSection
              key={name}
              title={typeTitles(t)[name]}
              icon={icon}
              objects={data.filter(({ type }) => type === name)}
            />
          ))
        )}
      </div>
      {isEditing && <TagDialog id={tag.id} onClose={() => setEditing(false)} />}
    </div>
  )
}

interface ObjectSectionProps {
  title: string
  icon: IconName
  objects: readonly TaggedObject[]
}

function ObjectSection({ title, icon, objects }: ObjectSectionProps) {
  const t = useTranslate()
  if (objects.length === 0) return null
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>
        {title} <span className={lists.count}>{formatNumber(objects.length)}</span>
      </h2>
      <ul className={styles.list}>
        {objects.map((object) => (
          <li key={object.id} className={styles.row}>
            <Icon name={icon} />
            <Link href={object.url} className={styles.name}>
              {nameOf(object, t)}
            </Link>
            <span className={styles.owners}>
              {object.owners.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim()).join(', ')}
            </span>
            <time className={styles.time} dateTime={`${object.changed_on}Z`}>
              {formatTimestamp(new Date(`${object.changed_on}Z`))}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
