import type { AccessEntry } from '@parquetry/model'
import { subjectTypes } from '@parquetry/model/subject'
import {
  Banner,
  Button,
  Dialog,
  ErrorPanel,
  Field,
  Icon,
  IconButton,
  Select,
  Skeleton,
  toast,
  toastError,
  useTranslate,
  type Translate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { iconOfSubject, loadRelated } from '../related-options.ts'
import { isAdmin } from '../rights.ts'
import type { SharedObject } from './SharePopover.tsx'
import { loadSharable, nameSubject } from './subject-options.ts'
import styles from './sharing.module.css'

/** Lists users who can open a dashboard or read a dataset, with the reasons. Gives access to others and ends it. */
export function AccessDialog({ object, onClose }: { object: SharedObject; onClose(): void }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const { kind, id, name } = object
  const queryKey = ['access', kind, id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get(`/api/v1/${kind}/:id/access`, { params: { id }, signal }),
    gcTime: 0,
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['access', kind, id] })
  const end = useMutation({
    mutationFn: (subject: number) => api.del(`/api/v1/${kind}/:id/access/:subject`, { params: { id, subject } }),
    onSuccess: refresh,
    onError: (problem) => toastError(messageOf(problem)),
  })
  const list = data?.result
  return (
    <Dialog
      open
      width={720}
      title={t('share.access.title', 'Who can see “{name}”', { name })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('shared.close', 'Close')}</Button>}
    >
      {error ? (
        <ErrorPanel inline onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : !list ? (
        <div aria-busy="true">
          <Skeleton height={200} />
        </div>
      ) : (
        <div className={styles.access}>
          {!list.is_published && (
            <Banner tone="warning" inline>
              {t(
                'share.access.draft',
                'This dashboard is a draft. Until it is published, only its owners and administrators can see it.',
              )}
            </Banner>
          )}
          {list.is_restricted && (
            <Banner inline>
              {t(
                'share.access.restricted',
                'This dashboard is reserved for those it is shared with, so access to its data alone does not open it.',
              )}
            </Banner>
          )}
          <ul className={styles.entries} aria-label={t('share.access.list', 'People, groups and roles with access')}>
            {list.entries.map((entry) => (
              <li key={`${entry.subject.id} ${entry.reason} ${entry.opens}`} className={styles.entry}>
                <Icon name={iconOfSubject(entry.subject.id)} />
                <span className={styles.subject}>{nameSubject(t, entry.subject)}</span>
                <span className={styles.reason}>{describeReason(t, kind, entry)}</span>
                {entry.is_removable && (
                  <IconButton
                    icon="close"
                    label={t('share.access.end', 'End access of {name}', { name: entry.subject.label })}
                    onClick={() => end.mutate(entry.subject.id)}
                  />
                )}
              </li>
            ))}
          </ul>
          <ShareForm object={object} isFirst={kind === 'dashboard' && !list.is_restricted} onShared={refresh} />
          <CheckUser object={object} />
        </div>
      )}
    </Dialog>
  )
}

function describeReason(
  t: Translate,
  kind: SharedObject['kind'],
  { subject, reason, opens, people }: AccessEntry,
): string {
  const because = {
    administrator: t('share.reason.administrator', 'Administrators see everything'),
    owner: t('share.reason.owner', 'Owner'),
    shared: t('share.reason.shared', 'Shared with them'),
    data:
      opens === null
        ? kind === 'dashboard' && subject.type === subjectTypes.user
          ? t('share.reason.datasetOwner', 'Owns a dataset of this dashboard')
          : t('share.reason.allData', 'Can read all data')
        : t('share.reason.data', 'Can read {name}', { name: opens }),
  }[reason]
  if (subject.type === subjectTypes.user)
    return people === 0 ? t('share.reason.inactive', '{reason} · deactivated', { reason: because }) : because
  return subject.label === 'Public'
    ? t('share.reason.public', '{reason} · anyone, without an account', { reason: because })
    : t('share.reason.people', '{reason} · {people, plural, one {# person} other {# people}}', {
        reason: because,
        people,
      })
}

interface ShareFormProps {
  object: SharedObject
  /** Sharing with a role or group closes the dashboard to everyone else. */
  isFirst: boolean
  onShared(): Promise<unknown>
}

function ShareForm({ object: { kind, id }, isFirst, onShared }: ShareFormProps) {
  const t = useTranslate()
  const [subject, setSubject] = useState<number | null>(null)
  const label =
    kind === 'dashboard'
      ? t('share.access.withGroup', 'Share with a person, group or role')
      : t('share.access.with', 'Share with a person or role')
  const reserves = subject !== null && subject % 4 !== subjectTypes.user
  const share = useMutation({
    mutationFn: (chosen: number) =>
      api.post(`/api/v1/${kind}/:id/access`, { params: { id }, body: { subject: chosen } }),
    async onSuccess() {
      setSubject(null)
      await onShared()
      toast(t('share.access.shared', 'Access given'))
    },
  })
  return (
    <div>
      <Field label={label}>
        <div className={styles.row}>
          <Select
            value={subject}
            onChange={setSubject}
            load={loadSharable(t, kind, kind === 'dashboard' || isAdmin)}
            placeholder={t('share.access.search', 'Search by name')}
            aria-label={label}
            clearable
          />
          <Button
            variant="primary"
            busy={share.isPending}
            disabledReason={subject === null ? t('share.access.choose', 'Select someone first') : undefined}
            onClick={() => subject !== null && share.mutate(subject)}
          >
            {t('share.title', 'Share')}
          </Button>
        </div>
      </Field>
      <p className={styles.note}>
        {reserves && isFirst
          ? t(
              'share.access.firstRole',
              'After that, only this role or group, others it is shared with, owners and administrators can see the dashboard. Users who see it only because they can read its data lose access.',
            )
          : kind === 'dashboard'
            ? t(
                'share.access.opensDashboard',
                'They see this dashboard with the data of its charts, as far as row-level security allows, and no other data.',
              )
            : t(
                'share.access.opensDataset',
                'They can read this dataset in every chart and in SQL Lab, as far as row-level security allows.',
              )}
      </p>
      {share.error && (
        <Banner tone="danger" inline>
          {messageOf(share.error)}
        </Banner>
      )}
    </div>
  )
}

/** Says for one person whether they can see the object, and why. */
function CheckUser({ object: { kind, id } }: { object: SharedObject }) {
  const t = useTranslate()
  const [user, setUser] = useState<string | null>(null)
  const { data, error, isFetching } = useQuery({
    queryKey: ['access', kind, id, 'user', user],
    queryFn: ({ signal }) =>
      api.get(`/api/v1/${kind}/:id/access/user/:user`, { params: { id, user: Number(user) }, signal }),
    enabled: user !== null,
    retry: false,
    gcTime: 0,
  })
  const result = data?.result
  return (
    <Field label={t('share.check.label', 'Check one person')}>
      <Select
        value={user}
        onChange={setUser}
        load={loadRelated('dashboard', 'owners')}
        placeholder={t('share.check.search', 'Search people')}
        aria-label={t('share.check.label', 'Check one person')}
        clearable
      />
      <p className={styles.note} aria-live="polite">
        {user === null || isFetching
          ? ''
          : error
            ? t('share.check.unknown', 'This account does not exist or is not active.')
            : result?.can
              ? t('share.check.yes', 'Can see it: {reasons}', {
                  reasons: [...new Set(result.reasons.map((entry) => describeReason(t, kind, entry)))].join(', '),
                })
              : t('share.check.no', 'Cannot see it.')}
      </p>
    </Field>
  )
}
