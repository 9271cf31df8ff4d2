import type { ColumnOf } from '@parquetry/client'
import { tagTypes, type ItemQuery, type SavedQueryDetail } from '@parquetry/model'
import { Button, Tag, TextInput, toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatDateTimeWithZone } from '../../shared/formats.ts'
import { describeSchedule } from '../../shared/query-schedule/schedule-texts.ts'
import { readScheduleInfo } from '../../shared/query-schedule/schedule.ts'
import { DescriptionList, PreviewDrawer, SqlText } from './PreviewDrawer.tsx'
import { hasTags } from './saved-query-list.tsx'
import styles from './queries.module.css'

export interface SavedQueryDrawerProps {
  id: number
  onClose(): void
}

/** Preview of a saved query: text, schedule, tags. */
export function SavedQueryDrawer({ id, onClose }: SavedQueryDrawerProps) {
  const t = useTranslate()
  const at = (time: string | null | undefined): string | null =>
    time ? formatDateTimeWithZone(new Date(/[zZ]|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`)) : null
  return (
    <PreviewDrawer
      resource="saved_query"
      id={id}
      read={async (signal) => (await api.get('/api/v1/saved_query/:id', { params: { id }, q, signal })).result}
      title={(data) => data?.label || t('lists.queries.untitled', '[ untitled query ]')}
      href={`/superset/sqllab/?savedQueryId=${id}`}
      onClose={onClose}
    >
      {(data) => {
        const info = readScheduleInfo(data.extra_json)
        return (
          <>
            {data.description && <p className={styles.description}>{data.description}</p>}
            <DescriptionList
              facts={[
                [t('lists.column.database', 'Database'), data.database?.database_name],
                [t('lists.column.schema', 'Schema'), data.schema],
                [t('lists.column.changed', 'Modified'), data.changed_on_delta_humanized],
                [t('lists.queries.schedule', 'Schedule'), info && describeSchedule(info, t)],
                [t('lists.queries.nextRun', 'Next run'), at(data.schedule?.next_run)],
                [t('lists.queries.lastRun', 'Last run'), at(data.schedule?.last_run)],
                [t('lists.queries.lastError', 'Last error'), data.schedule?.last_error],
              ]}
            />
            {hasTags && <Tags id={id} tags={(data.tags ?? []).filter(({ type }) => type === tagTypes.custom)} />}
            <SqlText title={t('lists.column.sql', 'SQL')} sql={data.sql ?? ''} />
          </>
        )
      }}
    </PreviewDrawer>
  )
}

const fields = [
  'id',
  'label',
  'description',
  'sql',
  'schema',
  'database.database_name',
  'changed_on_delta_humanized',
  'tags',
  'schedule',
  'extra_json',
] satisfies ColumnOf<SavedQueryDetail>[]
const q: ItemQuery = { columns: fields, keys: ['none'] }

/** Object type of saved queries in the tag API. */
const kind = 'query'

function Tags({ id, tags }: { id: number; tags: readonly { name: string }[] }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const change = (call: Promise<unknown>): void => {
    call.then(
      () => {
        setName('')
        void queries.invalidateQueries({ queryKey: ['saved_query'] })
      },
      (error: unknown) =>
        toastError(`${t('lists.queries.tagFailed', 'Could not change the tags')}: ${messageOf(error)}`),
    )
  }
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted)
      change(
        api.post('/api/v1/tag/:type/:id/', { params: { type: kind, id }, body: { properties: { tags: [wanted] } } }),
      )
  }
  return (
    <>
      <h3 className={styles.heading}>{t('lists.queries.tags', 'Tags')}</h3>
      <form className={styles.tags} onSubmit={add}>
        {tags.map(({ name: tag }) => (
          <Tag
            key={tag}
            onRemove={() => change(api.del('/api/v1/tag/:type/:id/:tag/', { params: { type: kind, id, tag } }))}
          >
            {tag}
          </Tag>
        ))}
        <TextInput
          className={styles.newTag}
          aria-label={t('lists.queries.newTag', 'New tag')}
          placeholder={t('lists.queries.newTag', 'New tag')}
          value={name}
          onChange={setName}
          maxLength={250}
        />
        <Button type="submit">{t('lists.queries.addTag', 'Add')}</Button>
      </form>
    </>
  )
}
