import { Field, NumberInput, Select, TextInput, toast, toastError, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { i18n } from '../../shared/intl.ts'
import { messageOf } from '../../shared/errors.ts'
import { queryClient } from '../../shared/query-client.ts'
import type { QueryEditor } from '../state.ts'
import { NameDialog } from './NameDialog.tsx'
import { toCron, type Frequency, type Schedule } from './schedule.ts'

export interface ScheduleDialogProps {
  tab: QueryEditor
  sql: string
  onClose(): void
}

const two = (value: number): string => String(value).padStart(2, '0')
const formatDay = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** SQL-011, SQL-081, SQL-116: schedules the query between two dates. */
export function ScheduleDialog({ tab, sql, onClose }: ScheduleDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState(tab.name)
  const [schedule, setSchedule] = useState<Schedule>(() => {
    const now = new Date()
    const end = new Date(now.getFullYear(), now.getMonth() + 1, now.getDate())
    return { start: formatDay(now), end: formatDay(end), often: 'day', time: '06:00', weekday: 1, day: 1 }
  })
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<Schedule>): void => setSchedule((now) => ({ ...now, ...part }))
  const { start, end, often, time, weekday, day } = schedule
  const missing =
    start === '' || end === '' || end < start
      ? t('sqllab.schedule.order', 'Choose an end date on or after the start date')
      : undefined

  const submit = async (given: string): Promise<void> => {
    setBusy(true)
    const schedule_info = {
      start_date: new Date(`${start}T00:00:00`).toISOString(),
      end_date: new Date(`${end}T23:59:59`).toISOString(),
      schedule_interval: toCron(schedule),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }
    const body = new FormData()
    const fields = {
      label: given,
      db_id: String(tab.dbId),
      schema: tab.schema ?? '',
      description: tab.description,
      sql,
    }
    for (const [field, value] of Object.entries(fields)) body.append(field, value)
    body.append('extra_json', JSON.stringify({ schedule_info }))
    try {
      await api.post('/savedqueryviewapi/api/create', { body })
      void queryClient.invalidateQueries({ queryKey: ['saved_query'] })
      toast(t('sqllab.scheduled', 'Your query has been scheduled. See its runs in Saved queries.'))
      onClose()
    } catch (error) {
      toastError(`${t('sqllab.notScheduled', 'Your query could not be scheduled')}: ${messageOf(error)}`)
      setBusy(false)
    }
  }
  const weekdays = Array.from({ length: 7 }, (_, value) => ({
    value,
    label: new Date(2024, 0, 7 + value).toLocaleDateString(i18n.locale, { weekday: 'long' }),
  }))
  return (
    <NameDialog
      title={t('sqllab.schedule.title', 'Schedule query')}
      name={name}
      onName={setName}
      action={t('sqllab.schedule', 'Schedule')}
      busy={busy}
      missing={missing}
      warning="SQLLAB_SCHEDULE_WARNING_MESSAGE"
      onSubmit={(given) => void submit(given)}
      onClose={onClose}
    >
      <Field label={t('sqllab.schedule.start', 'Start date')} required>
        <TextInput type="date" value={start} onChange={(value) => change({ start: value })} />
      </Field>
      <Field label={t('sqllab.schedule.end', 'End date')} required>
        <TextInput type="date" value={end} onChange={(value) => change({ end: value })} />
      </Field>
      <Field label={t('sqllab.schedule.often', 'Frequency')}>
        <Select<Frequency>
          value={often}
          onChange={(value) => value && change({ often: value })}
          options={[
            { value: 'hour', label: t('sqllab.schedule.hour', 'Every hour') },
            { value: 'day', label: t('sqllab.schedule.day', 'Every day') },
            { value: 'weekday', label: t('sqllab.schedule.weekday', 'Monday to Friday') },
            { value: 'week', label: t('sqllab.schedule.week', 'Every week') },
            { value: 'month', label: t('sqllab.schedule.month', 'Every month') },
          ]}
        />
      </Field>
      {often === 'week' && (
        <Field label={t('sqllab.schedule.onWeekday', 'Day of the week')}>
          <Select
            value={weekday}
            onChange={(value) => value !== null && change({ weekday: value })}
            options={weekdays}
          />
        </Field>
      )}
      {often === 'month' && (
        <Field label={t('sqllab.schedule.onDay', 'Day of the month')}>
          <NumberInput
            value={day}
            min={1}
            max={28}
            integer
            onChange={(value) => value !== null && change({ day: value })}
          />
        </Field>
      )}
      <Field
        label={
          often === 'hour'
            ? t('sqllab.schedule.minute', 'Minute of each hour (the hour is ignored)')
            : t('sqllab.schedule.time', 'Time')
        }
        help={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        <TextInput type="time" value={time} onChange={(value) => value && change({ time: value })} />
      </Field>
    </NameDialog>
  )
}
