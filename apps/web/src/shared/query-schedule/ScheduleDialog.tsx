import { Field, NumberInput, Select, Skeleton, TextInput, toast, toastError, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../errors.ts'
import { NameDialog } from '../NameDialog.tsx'
import { fetchScheduled } from './save-schedule.ts'
import { listWeekdays } from './schedule-texts.ts'
import {
  fromScheduleInfo,
  newSchedule,
  readScheduleInfo,
  toScheduleInfo,
  type Frequency,
  type Schedule,
  type ScheduleInfo,
} from './schedule.ts'

export interface ScheduleDialogProps {
  /** Name to offer; by default, that of the saved query. */
  name?: string
  /** The saved query, whose schedule is edited; null for a query that is not saved yet. */
  savedQueryId: number | null
  /** @throws the error that the dialog reports */
  onSave(name: string, info: ScheduleInfo): Promise<void>
  onClose(): void
}

/** SQL-011, SQL-081, SQL-116: schedules a query between two dates, or changes its schedule. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { savedQueryId } = props
  const stored = useQuery({
    queryKey: ['saved_query', 'scheduled', savedQueryId],
    queryFn: async ({ signal }) => fetchScheduled(savedQueryId ?? 0, signal),
    enabled: savedQueryId !== null,
    staleTime: 0,
    gcTime: 0,
  })
  const isLoading = savedQueryId !== null && stored.isPending
  return (
    <Form
      key={isLoading ? 'loading' : 'form'}
      {...props}
      name={props.name ?? stored.data?.label ?? ''}
      stored={readScheduleInfo(stored.data?.extra)}
      isLoading={isLoading}
    />
  )
}

interface FormProps extends Pick<ScheduleDialogProps, 'onSave' | 'onClose'> {
  name: string
  stored: ScheduleInfo | null
  isLoading: boolean
}

function Form({ name: initialName, onSave, onClose, stored, isLoading }: FormProps) {
  const t = useTranslate()
  const [name, setName] = useState(initialName)
  const [schedule, setSchedule] = useState<Schedule>(() =>
    stored ? fromScheduleInfo(stored, new Date()) : newSchedule(new Date()),
  )
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<Schedule>): void => setSchedule((now) => ({ ...now, ...part }))
  const { start, end, often, time, weekday, day, timezone } = schedule
  const isOpenEnded = stored !== null && (start === '' || end === '')
  const missing =
    (!isOpenEnded && (start === '' || end === '')) || (end !== '' && end < start)
      ? t('sqllab.schedule.order', 'Choose an end date on or after the start date')
      : undefined

  const submit = async (given: string): Promise<void> => {
    setBusy(true)
    try {
      await onSave(given, toScheduleInfo(schedule))
      toast(
        stored
          ? t('sqllab.rescheduled', 'The schedule was changed')
          : t('sqllab.scheduled', 'Your query has been scheduled. See its runs in Saved queries.'),
      )
      onClose()
    } catch (error) {
      toastError(`${t('sqllab.notScheduled', 'Your query could not be scheduled')}: ${messageOf(error)}`)
      setBusy(false)
    }
  }
  return (
    <NameDialog
      title={stored ? t('sqllab.schedule.edit', 'Edit schedule') : t('sqllab.schedule.title', 'Schedule query')}
      name={name}
      onName={setName}
      action={stored ? t('sqllab.schedule.save', 'Save schedule') : t('sqllab.schedule', 'Schedule')}
      busy={busy || isLoading}
      missing={missing}
      warning="SQLLAB_SCHEDULE_WARNING_MESSAGE"
      onSubmit={(given) => void submit(given)}
      onClose={onClose}
    >
      {isLoading ? (
        <Skeleton height={160} />
      ) : (
        <>
          <Field label={t('sqllab.schedule.start', 'Start date')} required={!isOpenEnded}>
            <TextInput type="date" value={start} onChange={(value) => change({ start: value })} />
          </Field>
          <Field label={t('sqllab.schedule.end', 'End date')} required={!isOpenEnded}>
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
                ...(often === 'custom' ? [{ value: 'custom' as const, label: schedule.cron }] : []),
              ]}
            />
          </Field>
          {often === 'week' && (
            <Field label={t('sqllab.schedule.onWeekday', 'Day of the week')}>
              <Select
                value={weekday}
                onChange={(value) => value !== null && change({ weekday: value })}
                options={listWeekdays().map((label, value) => ({ value, label }))}
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
          {often !== 'custom' && (
            <Field
              label={
                often === 'hour'
                  ? t('sqllab.schedule.minute', 'Minute of each hour (the hour is ignored)')
                  : t('sqllab.schedule.time', 'Time')
              }
              help={timezone}
            >
              <TextInput type="time" value={time} onChange={(value) => value && change({ time: value })} />
            </Field>
          )}
        </>
      )}
    </NameDialog>
  )
}
