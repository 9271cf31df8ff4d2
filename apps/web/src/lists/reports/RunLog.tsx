import type { ReportDelivery, ReportLog } from '@parquetry/model'
import {
  Button,
  EmptyState,
  ErrorPanel,
  Icon,
  Skeleton,
  StatusChip,
  toast,
  toastError,
  useTranslate,
  type IconName,
  type Tone,
  type Translate,
} from '@parquetry/ui'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatFileSize } from '../../shared/format-file-size.ts'
import { formatDuration } from '../../shared/format-duration.ts'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { parseUtc } from '../../shared/parse-utc.ts'
import { canWriteReports } from '../../shared/reports/has-reports.ts'
import { describeRunState, nameChannel, channelOf } from '../../shared/reports/report-texts.ts'
import styles from './reports.module.css'

const pollMs = 2000
const pageSize = 25
/** A start that is later than its time by less is not worth reading. */
const noticeableDelayMs = 60_000

/** True while something may still change without an action of a user. */
const isUnfinished = ({ state, deliveries }: ReportLog): boolean =>
  state === 'Working' || deliveries.some(({ state: delivered }) => delivered === 'waiting' || delivered === 'sending')

/** Every run of an alert or report, newest first: its state, its message, what was sent to whom, and its files. */
export function RunLog({ id }: { id: number }) {
  const t = useTranslate()
  const [shown, setShown] = useState(pageSize)
  const log = useQuery({
    queryKey: ['report', 'log', id, shown],
    queryFn: ({ signal }) =>
      api.get('/api/v1/report/:id/log/', {
        params: { id },
        q: { order_column: 'scheduled_dttm', order_direction: 'desc', page: 0, page_size: shown },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.result.some(isUnfinished) ? pollMs : false),
  })
  if (log.isPending)
    return (
      <div aria-busy="true">
        <Skeleton height={72} />
        <Skeleton height={72} />
      </div>
    )
  if (!log.data) return <ErrorPanel onRetry={() => void log.refetch()}>{messageOf(log.error)}</ErrorPanel>
  const { result, count } = log.data
  if (result.length === 0)
    return (
      <EmptyState title={t('reports.log.none', 'No runs yet')}>
        {t('reports.log.noneText', 'Each run is listed here with its result, its messages and its files.')}
      </EmptyState>
    )
  return (
    <>
      <ol className={styles.runs} aria-label={t('reports.log.runs', 'Runs')}>
        {result.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ol>
      {count > result.length && (
        <div className={styles.logFoot}>
          <Button onClick={() => setShown(shown + pageSize)} busy={log.isPlaceholderData}>
            {t('reports.log.more', 'Show older runs')}
          </Button>
        </div>
      )}
    </>
  )
}

const triggerText = (t: Translate, trigger: ReportLog['trigger']): string => {
  if (trigger === 'now') return t('reports.log.now', 'Started by hand')
  return trigger === 'test' ? t('reports.log.test', 'Test') : t('reports.log.schedule', 'Scheduled')
}

function Run({ run }: { run: ReportLog }) {
  const t = useTranslate()
  const { word, ...look } = describeRunState(t, run.state)
  const scheduled = parseUtc(run.scheduled_dttm)
  const start = parseUtc(run.start_dttm)
  const end = parseUtc(run.end_dttm)
  const isRepeated = run.deliveries.some(({ error_message }) => error_message === run.error_message)
  return (
    <li className={styles.run}>
      <div className={styles.runHead}>
        <StatusChip {...look}>{word}</StatusChip>
        {scheduled !== null && <time dateTime={new Date(scheduled).toISOString()}>{formatTimestamp(scheduled)}</time>}
        <span className={styles.muted}>{triggerText(t, run.trigger)}</span>
        {start !== null && scheduled !== null && start - scheduled >= noticeableDelayMs && (
          <span className={styles.muted}>
            {t('reports.log.started', 'Started {time}', { time: formatTimestamp(start) })}
          </span>
        )}
        {start !== null && end !== null && (
          <span className={styles.muted}>
            {t('reports.log.took', 'Took {duration}', { duration: formatDuration(end - start) })}
          </span>
        )}
        {run.value !== null && (
          <span>
            {t('reports.log.value', 'Value: {value}', {
              value: formatNumber(run.value, { maximumFractionDigits: 6 }),
            })}
          </span>
        )}
      </div>
      {run.error_message && !isRepeated && <p className={styles.message}>{run.error_message}</p>}
      {run.deliveries.length > 0 && (
        <ul className={styles.deliveries} aria-label={t('reports.log.deliveries', 'Deliveries')}>
          {run.deliveries.map((delivery) => (
            <Delivery key={delivery.uuid} delivery={delivery} />
          ))}
        </ul>
      )}
      {run.files.length > 0 && (
        <div className={styles.files}>
          {run.files.map(({ uuid, name, size }) => (
            <a key={uuid} href={`/api/v1/report/file/${uuid}`} download={name}>
              <Icon name="download" /> {name} <span className={styles.muted}>{formatFileSize(size)}</span>
            </a>
          ))}
        </div>
      )}
    </li>
  )
}

const recipientIcons: Record<ReportDelivery['type'], IconName> = {
  Email: 'mail',
  Slack: 'share',
  SlackV2: 'share',
  Webhook: 'link',
  Folder: 'save',
  User: 'user',
  Role: 'role',
  Group: 'group',
}

function describeDelivery(
  t: Translate,
  state: ReportDelivery['state'],
): { word: string; tone: Tone; icon: IconName; busy?: true } {
  switch (state) {
    case 'waiting':
      return { word: t('reports.delivery.waiting', 'Waiting'), tone: 'info', icon: 'clock' }
    case 'sending':
      return { word: t('reports.delivery.sending', 'Sending'), tone: 'warning', icon: 'refresh', busy: true }
    case 'sent':
      return { word: t('reports.delivery.sent', 'Sent'), tone: 'success', icon: 'check' }
    case 'failed':
      return { word: t('reports.delivery.failed', 'Failed'), tone: 'danger', icon: 'error' }
    case 'unknown':
      return { word: t('reports.delivery.unknown', 'May have been sent'), tone: 'warning', icon: 'warning' }
  }
}

function Delivery({ delivery }: { delivery: ReportDelivery }) {
  const { uuid, type, target, state, attempts, error_message } = delivery
  const t = useTranslate()
  const queries = useQueryClient()
  const { word, ...look } = describeDelivery(t, state)
  const again = useMutation({
    mutationFn: () => api.post('/api/v1/report/delivery/:uuid/send_again', { params: { uuid } }),
    onSuccess: () => toast(t('reports.delivery.queued', 'The message is being sent again')),
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['report', 'log'] }),
  })
  return (
    <li className={styles.delivery}>
      <Icon name={recipientIcons[type]} />
      <span className={styles.target}>
        <span className="visually-hidden">{nameChannel(t, channelOf(type))}: </span>
        {target}
      </span>
      <StatusChip {...look}>{word}</StatusChip>
      <span className={styles.reason}>
        {error_message}
        {attempts > 1 && ` ${t('reports.delivery.attempts', '({n, number} attempts)', { n: attempts })}`}
      </span>
      {canWriteReports && (state === 'failed' || state === 'unknown') && (
        <span className={styles.again}>
          <Button onClick={() => again.mutate()} busy={again.isPending}>
            {t('reports.delivery.again', 'Send again')}
          </Button>
        </span>
      )}
    </li>
  )
}
