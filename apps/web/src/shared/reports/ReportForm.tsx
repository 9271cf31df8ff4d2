import type { ReportChannel, ReportDetail } from '@parquetry/model'
import {
  Banner,
  Button,
  Checkbox,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  TextArea,
  TextInput,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { loadRelated } from '../related-options.ts'
import { userId } from '../rights.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { FormatFields } from './FormatFields.tsx'
import { RecipientFields } from './RecipientFields.tsx'
import { ReportPreview } from './ReportPreview.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { TargetFields } from './TargetFields.tsx'
import { missingChannels } from './channels.ts'
import { findMissing } from './find-missing.ts'
import {
  newDraft,
  readDraft,
  toApiReport,
  type PageFilters,
  type ReportDraft,
  type ReportStart,
} from './report-draft.ts'
import { findFieldErrors, formFields, type ReportFormPart } from './report-form.ts'
import { nameChannel } from './report-texts.ts'
import { useChannels } from './use-report.ts'
import styles from './reports.module.css'

export interface ReportFormProps {
  /** The report to edit; null for a new one. */
  stored: ReportDetail | null
  start: ReportStart
  page: PageFilters | null
  onClose(): void
}

/** Fields below "More settings", which opens when one is wrong. */
const foldedFields = [
  'owners',
  'email_subject',
  'description',
  'grace_period',
  'working_timeout',
  'log_retention',
  'custom_width',
] as const

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The form in the dialog. What was typed stays when saving fails. */
export function ReportForm({ stored: opened, start, page, onClose }: ReportFormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [stored, setStored] = useState(opened)
  const [initial, setInitial] = useState<ReportDraft>(() =>
    opened ? readDraft(opened) : newDraft(start, page !== null, ownTimeZone(), userId),
  )
  const [draft, setDraft] = useState(initial)
  const [sent, setSent] = useState<ReportDraft | null>(null)
  const set = (change: Partial<ReportDraft>): void => setDraft((before) => ({ ...before, ...change }))
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const channels = useChannels()
  const lacking = missingChannels(draft, channels.data ?? [])
  const missing = findMissing(t, draft)
  const isAlert = draft.type === 'Alert'

  const save = useMutation({
    mutationFn: async (): Promise<ReportDetail> => {
      setSent(draft)
      const body = toApiReport(draft, { stored, page })
      let id = stored?.id
      if (stored) {
        const isMetric = isAlert && draft.condition === 'metric'
        await api.put('/api/v1/report/:id', {
          params: { id: stored.id },
          body: { ...body, ...(isMetric && { sql: null }) },
        })
      } else {
        const created = await api.post('/api/v1/report/', {
          body: { ...body, creation_method: start.creation_method },
        })
        id = created.id
      }
      return (await api.get('/api/v1/report/:id', { params: { id: String(id) } })).result
    },
    onSuccess: () =>
      toast(stored ? t('reports.updated', 'Report updated') : t('reports.created', 'The report has been created')),
    onSettled: () =>
      queries.invalidateQueries({
        queryKey: ['report'],
        predicate: ({ queryKey }) => queryKey[1] !== 'item' && queryKey[1] !== 'channels',
      }),
  })
  const sendToMe = useMutation({
    mutationFn: async (): Promise<void> => {
      let report = stored
      if (!report || dirty) {
        report = await save.mutateAsync()
        const saved = readDraft(report)
        setStored(report)
        setInitial(saved)
        setDraft(saved)
      }
      await api.post('/api/v1/report/:id/run', { params: { id: report.id }, body: { to: 'me' } })
      toast(t('reports.sentToMe', 'The report is on its way to you'))
    },
    onError: (error) => {
      if (error !== save.error) toastError(messageOf(error))
    },
  })
  const busy = save.isPending || sendToMe.isPending
  const submit = (): void => {
    if (missing === undefined && !busy) save.mutate(undefined, { onSuccess: onClose })
  }

  const errorOf: ReportFormPart['errorOf'] = (field, ...parts) =>
    sent && parts.every((part) => draft[part] === sent[part])
      ? findFieldErrors(save.error, field).join(' ') || undefined
      : undefined
  const isPlaced = formFields.some((field) => findFieldErrors(save.error, field).length > 0)
  const hasHiddenError = foldedFields.some((field) => findFieldErrors(save.error, field).length > 0)
  const part: ReportFormPart = { draft, set, stored, page, errorOf }

  return (
    <Dialog
      open
      title={titleOf(t, draft.type, stored !== null, start.target?.name)}
      width={720}
      dirty={dirty}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <span className={styles.footStart}>
            <Button icon="share" onClick={() => sendToMe.mutate()} busy={sendToMe.isPending} disabledReason={missing}>
              {stored && !dirty
                ? t('reports.sendToMe', 'Send now to me')
                : t('reports.saveAndSend', 'Save and send to me')}
            </Button>
          </span>
          <Button onClick={onClose}>{t('reports.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={missing}>
            {stored
              ? t('reports.save', 'Save')
              : isAlert
                ? t('reports.createAlert', 'Create alert')
                : t('reports.createReport', 'Create report')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {save.error && !isPlaced && <ErrorPanel inline>{messageOf(save.error)}</ErrorPanel>}
        {lacking.length > 0 && <MissingChannels channels={lacking} />}
        {channels.data && lacking.length === 0 && stored?.extra.parquetry?.awaits_channel && draft.active && (
          <Banner inline tone="info">
            {t(
              'reports.channelReady',
              'This report is inactive, because its channel was not set up when it was saved. The channel is ready now: save to activate the report.',
            )}
          </Banner>
        )}
        <Section title={t('reports.section.what', 'What')}>
          <Field label={t('reports.name', 'Name')} required error={errorOf('name', 'name', 'type')}>
            <TextInput value={draft.name} onChange={(name) => set({ name })} maxLength={150} data-autofocus />
          </Field>
          <TargetFields {...part} />
        </Section>
        <Section title={t('reports.section.when', 'When')}>
          <ScheduleFields {...part} />
          <Checkbox
            checked={draft.active && lacking.length === 0}
            disabled={lacking.length > 0}
            onChange={(active) => set({ active })}
            label={t('reports.active', 'Active: runs on this schedule')}
          />
        </Section>
        {isAlert && (
          <Section title={t('reports.section.if', 'If')}>
            <ConditionFields {...part} />
          </Section>
        )}
        <Section title={t('reports.section.to', 'To')}>
          <RecipientFields {...part} channels={channels.data ?? []} />
        </Section>
        <Section title={t('reports.section.as', 'As')}>
          <FormatFields {...part} />
          <Field
            label={t('reports.note', 'Note')}
            help={t('reports.noteHelp', 'Text in the message, before its link. Markdown is allowed.')}
            error={errorOf('context_markdown', 'note')}
          >
            <TextArea value={draft.note} onChange={(note) => set({ note })} rows={2} />
          </Field>
          <ReportPreview draft={draft} stored={stored} page={page} />
        </Section>
        <details className={styles.details} open={hasHiddenError || undefined}>
          <summary>{t('reports.section.more', 'More settings')}</summary>
          <div className={styles.form}>
            <Field label={t('reports.owners', 'Owners')} error={errorOf('owners', 'owners')}>
              <MultiSelect
                value={draft.owners}
                onChange={(owners) => set({ owners })}
                load={loadRelated('report', 'owners')}
                labelOf={(id) => nameOwner(stored, id) ?? (Number(id) === userId ? t('reports.me', 'Me') : undefined)}
              />
            </Field>
            <Field
              label={t('reports.subject', 'Subject')}
              help={t('reports.subjectHelp', 'Subject of e-mails. Default: the name of the report.')}
              error={errorOf('email_subject', 'subject')}
            >
              <TextInput value={draft.subject} onChange={(subject) => set({ subject })} maxLength={255} />
            </Field>
            <Field label={t('reports.description', 'Description')} error={errorOf('description', 'description')}>
              <TextArea value={draft.description} onChange={(description) => set({ description })} rows={2} />
            </Field>
            <AdvancedFields {...part} />
          </div>
        </details>
      </div>
    </Dialog>
  )
}

function titleOf(
  t: ReturnType<typeof useTranslate>,
  type: ReportDraft['type'],
  isStored: boolean,
  name: string | undefined,
): string {
  if (isStored)
    return type === 'Alert' ? t('reports.editAlertTitle', 'Edit alert') : t('reports.editTitle', 'Edit report')
  if (name) return t('reports.newFor', 'New report for {name}', { name })
  return type === 'Alert' ? t('reports.newAlert', 'New alert') : t('reports.newReport', 'New report')
}

function nameOwner(stored: ReportDetail | null, id: string): string | undefined {
  const owner = stored?.owners.find((each) => String(each.id) === id)
  return owner && `${owner.first_name} ${owner.last_name}`.trim()
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.caption}>{title}</h3>
      <div className={styles.fields}>{children}</div>
    </section>
  )
}

function MissingChannels({ channels }: { channels: readonly ReportChannel[] }) {
  const t = useTranslate()
  return (
    <Banner inline tone="warning">
      {channels
        .map(({ type, missing }) =>
          t('reports.channelMissing', '{channel} is not set up. Missing settings: {settings}.', {
            channel: nameChannel(t, type),
            settings: missing.join(', '),
          }),
        )
        .join(' ')}{' '}
      {t('reports.savedInactive', 'The report is saved as inactive. Activate it when the channel is set up.')}
    </Banner>
  )
}
