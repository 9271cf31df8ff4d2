import type { ReportChannel } from '@parquetry/model'
import { Button, Checkbox, Field, Menu, MultiSelect, RadioGroup, useTranslate, type Translate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { loadSharable } from '../sharing/subject-options.ts'
import type { ReportDraft } from './report-draft.ts'
import type { ReportFormPart } from './report-form.ts'
import { listOutsideTargets, parseEmail, parseWebhook, type RecipientKind } from './recipients.ts'
import { loadSlackChannels } from './report-options.ts'
import styles from './reports.module.css'

type TextKind = Exclude<RecipientKind, 'subjects'>

/** The recipients: addresses, accounts, Slack channels, webhooks and folders, and whose rows they get. */
export function RecipientFields({
  draft,
  set,
  errorOf,
  channels,
}: ReportFormPart & { channels: readonly ReportChannel[] }) {
  const t = useTranslate()
  const { recipients } = draft
  const [added, setAdded] = useState<readonly RecipientKind[]>([])
  const error = errorOf('recipients', 'recipients', 'confirmed')
  const refusal = errorOf('recipients', 'recipients')
  const kinds = listKinds(t)
  const isShown = (kind: TextKind): boolean => kind === 'emails' || recipients[kind].length > 0 || added.includes(kind)
  const hidden = kinds.filter(({ kind }) => !isShown(kind))
  const change = (kind: RecipientKind, values: readonly (string | number)[]): void =>
    set({ recipients: { ...recipients, [kind]: values } })
  const noteOf = (type: ReportChannel['type']): string | undefined => {
    const missing = channels.find((channel) => channel.type === type)?.missing ?? []
    return missing.length > 0
      ? t('reports.notSetUp', 'Not set up: {settings}', { settings: missing.join(', ') })
      : undefined
  }
  return (
    <>
      {kinds
        .filter(({ kind }) => isShown(kind))
        .map(({ kind, label, help, channel, read, invalid }) => (
          <Field key={kind} label={label} help={noteOf(channel) ?? help} error={kind === 'emails' ? error : undefined}>
            <MultiSelect
              value={recipients[kind]}
              onChange={(values) => change(kind, values)}
              {...(kind === 'slack' ? { load: loadSlackChannels } : { options: [] })}
              freeText={{
                read,
                label: (value) => t('reports.addRecipient', 'Add {value}', { value }),
                addsOnBlur: true,
                ...(invalid && { invalid }),
              }}
              nothing={t('reports.typeRecipient', 'Type or paste, then press Enter')}
            />
          </Field>
        ))}
      <SubjectsField subjects={recipients.subjects} onChange={(subjects) => change('subjects', subjects)} />
      {hidden.length > 0 && (
        <div>
          <Menu
            label={t('reports.moreRecipients', 'Add recipients')}
            items={hidden.map(({ kind, label, channel }) => ({
              label,
              onSelect: () => setAdded([...added, kind]),
              disabledReason: undefined,
              ...(noteOf(channel) && { shortcut: undefined }),
            }))}
          >
            <Button variant="quiet" icon="plus">
              {t('reports.moreRecipients', 'Add recipients')}
            </Button>
          </Menu>
        </div>
      )}
      {refusal && <Confirmations draft={draft} set={set} message={refusal} />}
      <Field label={t('reports.rows', 'Rows')} group>
        <RadioGroup<ReportDraft['rows']>
          value={draft.rows}
          onChange={(rows) => set({ rows })}
          label={t('reports.rows', 'Rows')}
          options={[
            {
              value: 'owner',
              label: t('reports.rows.owner', 'What the owner sees'),
              help: t('reports.rows.ownerHelp', 'Every recipient gets the same content.'),
            },
            {
              value: 'recipient',
              label: t('reports.rows.recipient', 'What each recipient sees'),
              help: t(
                'reports.rows.recipientHelp',
                'Users, and members of roles and groups, get their own rows as row-level security allows. Other recipients get what the owner sees.',
              ),
            },
          ]}
        />
      </Field>
    </>
  )
}

interface TextKindInfo {
  kind: TextKind
  label: string
  help?: string
  channel: ReportChannel['type']
  read(text: string): string | null
  /** Says what a typed text lacks. */
  invalid?: string
}

const readText = (text: string): string | null => text.trim() || null

const listKinds = (t: Translate): TextKindInfo[] => {
  const email = {
    channel: 'Email',
    read: parseEmail,
    invalid: t('reports.to.emailInvalid', 'Enter an address such as ana@example.com'),
  } as const
  return [
    { kind: 'emails', label: t('reports.to.emails', 'E-mail addresses'), ...email },
    {
      kind: 'cc',
      label: t('reports.to.cc', 'Copies (CC)'),
      help: t('reports.to.ccHelp', 'All addresses then share one message.'),
      ...email,
    },
    { kind: 'bcc', label: t('reports.to.bcc', 'Hidden copies (BCC)'), ...email },
    { kind: 'slack', label: t('reports.to.slack', 'Slack channels'), channel: 'Slack', read: readText },
    {
      kind: 'webhooks',
      label: t('reports.to.webhooks', 'Webhooks'),
      help: t('reports.to.webhooksHelp', 'URLs that get an HTTP POST, such as https://example.com/hook'),
      channel: 'Webhook',
      read: parseWebhook,
      invalid: t('reports.to.webhookInvalid', 'Enter a URL such as https://example.com/hook'),
    },
    {
      kind: 'folders',
      label: t('reports.to.folders', 'Folders'),
      help: t('reports.to.foldersHelp', 'On the server, below the folder for reports, such as sales/weekly'),
      channel: 'Folder',
      read: readText,
    },
  ]
}

function SubjectsField({ subjects, onChange }: { subjects: readonly number[]; onChange(ids: number[]): void }) {
  const t = useTranslate()
  const names = useQuery({
    queryKey: ['dashboard', 'related', 'viewers', subjects],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/dashboard/related/:column', {
        params: { column: 'viewers' },
        q: { include_ids: [...subjects], page: 0, page_size: 1 },
        signal,
      })
      return new Map(result.map(({ value, text }) => [Number(value), text]))
    },
    enabled: subjects.length > 0,
    staleTime: Infinity,
  })
  return (
    <Field label={t('reports.to.subjects', 'Users, roles and groups')}>
      <MultiSelect
        value={subjects}
        onChange={onChange}
        load={loadSharable(t, 'dashboard', true)}
        labelOf={(id) => names.data?.get(id)}
      />
    </Field>
  )
}

/** Recipients that the server refused because they would get restricted rows: the owner can confirm each one by name. */
function Confirmations({ draft, set, message }: Pick<ReportFormPart, 'draft' | 'set'> & { message: string }) {
  const t = useTranslate()
  const text = message.toLowerCase()
  const named = listOutsideTargets(draft.recipients).filter((target) => text.includes(target.toLowerCase()))
  if (named.length === 0) return null
  return (
    <div className={styles.confirmations} role="group" aria-label={t('reports.confirmTitle', 'Restricted rows')}>
      {named.map((target) => (
        <Checkbox
          key={target}
          checked={draft.confirmed.includes(target)}
          onChange={(on) =>
            set({ confirmed: on ? [...draft.confirmed, target] : draft.confirmed.filter((other) => other !== target) })
          }
          label={t('reports.confirm', 'Send restricted rows to {target}', { target })}
        />
      ))}
    </div>
  )
}
