import type { ColumnOf } from '@parquetry/client'
import type { ItemQuery, SavedQueryDetail } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { formatDateTimeWithZone } from '../../shared/formats.ts'
import { describeSchedule } from '../../shared/query-schedule/schedule-texts.ts'
import { readScheduleInfo } from '../../shared/query-schedule/schedule.ts'
import { canEditTags } from '../../shared/tags/has-tags.ts'
import { ObjectTags } from '../../shared/tags/ObjectTags.tsx'
import { DescriptionList, PreviewDrawer, SqlText } from './PreviewDrawer.tsx'
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
            {canEditTags && <ObjectTags type="query" id={id} tags={data.tags ?? []} />}
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
