import type { ReportChannel } from '@parquetry/model'
import {
  Button,
  ErrorPanel,
  Field,
  PageHeader,
  Skeleton,
  StatusChip,
  TextInput,
  toast,
  useTranslate,
  type Translate,
} from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { canSeeReports } from '../../shared/reports/has-reports.ts'
import { nameChannel } from '../../shared/reports/report-texts.ts'
import { useChannels } from '../../shared/reports/use-report.ts'
import { isAdmin } from '../../shared/rights.ts'
import { useTitle } from '../../shared/use-title.ts'
import lists from '../lists.module.css'
import { NoReports } from './NoReports.tsx'
import styles from './reports.module.css'

/** The ways to deliver messages, what each one lacks, and for administrators a test message. */
export function ChannelsPage() {
  return canSeeReports ? <Channels /> : <NoReports />
}

function Channels() {
  const t = useTranslate()
  const title = t('reports.channels', 'Delivery channels')
  useTitle([title])
  const channels = useChannels()
  return (
    <div className={lists.page}>
      <PageHeader title={title} crumbs={[{ label: t('app.nav.reports', 'Alerts & reports'), href: '/report/list/' }]} />
      <div className={lists.content}>
        <p className={lists.note}>
          {t(
            'reports.channels.note',
            'Alerts and reports are sent through these channels. They are configured by the settings of the server.',
          )}
        </p>
        {channels.error && !channels.data ? (
          <ErrorPanel onRetry={() => void channels.refetch()}>{messageOf(channels.error)}</ErrorPanel>
        ) : (
          <div className={styles.channels} aria-busy={channels.isPending || undefined}>
            {channels.data
              ? channels.data.map((channel) => <Channel key={channel.type} channel={channel} />)
              : [1, 2, 3, 4].map((each) => <Skeleton key={each} height={160} />)}
          </div>
        )}
      </div>
    </div>
  )
}

const targetLabel = (t: Translate, type: ReportChannel['type']): string => {
  switch (type) {
    case 'Email':
      return t('reports.channels.email', 'E-mail address')
    case 'Slack':
      return t('reports.channels.slack', 'Channel')
    case 'Webhook':
      return t('reports.channels.webhook', 'URL')
    case 'Folder':
      return t('reports.channels.folder', 'Folder')
  }
}

function Channel({ channel: { type, missing } }: { channel: ReportChannel }) {
  const t = useTranslate()
  const [target, setTarget] = useState('')
  const isReady = missing.length === 0
  const name = nameChannel(t, type)
  const test = useMutation({
    mutationFn: () =>
      api.post('/api/v1/report/channels/:type/test', { params: { type }, body: { target: target.trim() } }),
    onSuccess: ({ message }) => toast(message),
  })
  return (
    <section className={styles.channel} aria-label={name}>
      <div className={styles.channelHead}>
        <h2>{name}</h2>
        {isReady ? (
          <StatusChip tone="success" icon="check">
            {t('reports.channels.ready', 'Ready')}
          </StatusChip>
        ) : (
          <StatusChip tone="neutral" icon="minus">
            {t('reports.channels.off', 'Not set up')}
          </StatusChip>
        )}
      </div>
      {!isReady && (
        <p>
          {t('reports.channels.missing', 'Missing settings:')}{' '}
          <span className={styles.settings}>{missing.join(', ')}</span>
        </p>
      )}
      {isReady && isAdmin && (
        <form
          className={styles.test}
          onSubmit={(event) => {
            event.preventDefault()
            if (target.trim() !== '') test.mutate()
          }}
        >
          <Field label={targetLabel(t, type)} error={test.error ? messageOf(test.error) : undefined}>
            <TextInput value={target} onChange={setTarget} />
          </Field>
          <span className={styles.testButton}>
            <Button
              type="submit"
              busy={test.isPending}
              disabledReason={
                target.trim() === '' ? t('reports.channels.targetMissing', 'Enter where to send the test') : undefined
              }
            >
              {t('reports.channels.test', 'Send test')}
            </Button>
          </span>
        </form>
      )}
    </section>
  )
}
