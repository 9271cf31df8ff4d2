import { Button, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { readCron, toCron, type Frequency } from '../query-schedule/schedule.ts'
import { listWeekdays } from '../query-schedule/schedule-texts.ts'
import { useDebounced } from '../use-debounced.ts'
import type { ReportFormPart } from './report-form.ts'
import { formatRunTime } from './report-texts.ts'
import { listTimeZones } from './time-zones.ts'
import styles from './reports.module.css'

const debounceMs = 400

/** When the report runs: in words or as a cron expression, both of the same schedule, with its next times. */
export function ScheduleFields({ draft, set, errorOf }: ReportFormPart) {
  const t = useTranslate()
  const { crontab, timezone } = draft
  const read = { time: '08:00', weekday: 1, day: 1, ...readCron(crontab) }
  const [isCron, setCron] = useState(read.often === 'custom')
  const { often, time, weekday, day } = read
  const change = (part: Partial<typeof read>): void => {
    const next = { ...read, ...part }
    set({ crontab: toCron({ ...next, time: next.time || '00:00', cron: crontab }) })
  }
  const chooseFrequency = (next: Frequency | null): void => {
    if (next === 'custom') setCron(true)
    // An hourly schedule has only a minute; a day starts at a usual hour.
    else if (next) change({ often: next, ...(often === 'hour' && next !== 'hour' && { time: `08:${time.slice(3)}` }) })
  }
  const error = errorOf('crontab', 'crontab')
  const zone = (
    <Field label={t('reports.timezone', 'Time zone')} error={errorOf('timezone', 'timezone')}>
      <Select
        value={timezone}
        onChange={(value) => value && set({ timezone: value })}
        options={listTimeZones(timezone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      />
    </Field>
  )
  return (
    <>
      {isCron ? (
        <div className={styles.two}>
          <Field
            label={t('reports.cron', 'Cron expression')}
            help={t('reports.cronHelp', 'Minute, hour, day of the month, month, day of the week')}
            error={error}
            required
          >
            <TextInput value={crontab} onChange={(value) => set({ crontab: value })} mono spellCheck={false} />
          </Field>
          {zone}
        </div>
      ) : (
        <div className={styles.line}>
          <Field label={t('reports.often', 'Frequency')} error={error}>
            <Select<Frequency>
              value={often}
              onChange={chooseFrequency}
              options={[
                { value: 'hour', label: t('reports.often.hour', 'Every hour') },
                { value: 'day', label: t('reports.often.day', 'Every day') },
                { value: 'weekday', label: t('reports.often.weekday', 'Monday to Friday') },
                { value: 'week', label: t('reports.often.week', 'Every week') },
                { value: 'month', label: t('reports.often.month', 'Every month') },
                { value: 'custom', label: t('reports.often.custom', 'Other (cron)') },
              ]}
            />
          </Field>
          {often === 'week' && (
            <Field label={t('reports.weekday', 'Day of the week')}>
              <Select
                value={weekday}
                onChange={(value) => value !== null && change({ weekday: value })}
                options={listWeekdays().map((label, value) => ({ value, label }))}
              />
            </Field>
          )}
          {often === 'month' && (
            <Field label={t('reports.day', 'Day of the month')}>
              <NumberInput
                value={day}
                min={1}
                max={28}
                integer
                onChange={(value) => value !== null && change({ day: value })}
              />
            </Field>
          )}
          {often === 'hour' ? (
            <Field label={t('reports.minute', 'Minute')}>
              <NumberInput
                value={Number(time.slice(3))}
                min={0}
                max={59}
                integer
                onChange={(value) => value !== null && change({ time: `00:${String(value).padStart(2, '0')}` })}
              />
            </Field>
          ) : (
            <Field label={t('reports.time', 'Time')}>
              <TextInput type="time" value={time} onChange={(value) => value && change({ time: value })} />
            </Field>
          )}
          <div className={styles.grow}>{zone}</div>
        </div>
      )}
      <div className={styles.line}>
        <NextRuns crontab={crontab} timezone={timezone} hasError={error !== undefined} />
        <Button
          variant="quiet"
          onClick={() => setCron(!isCron)}
          disabledReason={
            isCron && often === 'custom'
              ? t('reports.cronOnly', 'This schedule can only be written as a cron expression')
              : undefined
          }
        >
          {isCron ? t('reports.inWords', 'In words') : t('reports.asCron', 'As cron')}
        </Button>
      </div>
    </>
  )
}

function NextRuns({ crontab, timezone, hasError }: { crontab: string; timezone: string; hasError: boolean }) {
  const t = useTranslate()
  const wanted = useDebounced(crontab.trim(), debounceMs)
  const next = useQuery({
    queryKey: ['report', 'next-runs', wanted, timezone],
    queryFn: ({ signal }) => api.get('/api/v1/report/next_runs/', { q: { crontab: wanted, timezone }, signal }),
    enabled: wanted !== '',
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  })
  return (
    <p className={styles.next} role="status" data-wrong={next.error ? true : undefined}>
      {next.error
        ? !hasError && messageOf(next.error)
        : next.data && (
            <>
              {next.data.words && <span>{next.data.words}</span>}
              <span className={styles.muted}>
                {next.data.result.length === 0
                  ? t('reports.never', 'This schedule never runs.')
                  : t('reports.next', 'Next: {times}', {
                      times: next.data.result.map((at) => formatRunTime(at, timezone)).join(' · '),
                    })}
              </span>
            </>
          )}
    </p>
  )
}
