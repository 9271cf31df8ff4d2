import { ApiError } from '@parquetry/client'
import type { RuleType } from '@parquetry/model'
import {
  Banner,
  Button,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  RadioGroup,
  Skeleton,
  TextArea,
  TextInput,
  toast,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { loadRelated } from '../../shared/related-options.ts'
import { identifierQuote } from '../../shared/sql-field/identifier-quote.ts'
import { SqlField } from '../../shared/sql-field/SqlField.tsx'
import type { ValidationIssue } from '../../shared/sql-field/text-ranges.ts'
import { toSqlProblem } from '../../shared/sql-field/use-expression-check.ts'
import { FormErrors, readFormErrors } from '../FormErrors.tsx'
import styles from '../lists.module.css'
import { clauseTemplates } from './clause-templates.ts'
import { describeRule, ruleTypeLabel } from './rule-list.tsx'
import { RulePreview } from './RulePreview.tsx'
import ruleStyles from './rules.module.css'
import { loadRuleSubjects, type Subject } from './subjects.ts'
import { useDatasetColumns, useRule, type Rule } from './use-rule.ts'

export interface RuleDialogProps {
  /** Id of the rule to edit; null creates one. */
  id: number | null
  onClose(): void
}

export function RuleDialog({ id, onClose }: RuleDialogProps) {
  const t = useTranslate()
  const rule = useRule(id)
  if (id === null) return <Form rule={null} onClose={onClose} />
  if (rule.data)
    return <Form key={rule.data.changed_on} rule={rule.data} onClose={onClose} onReload={() => void rule.refetch()} />
  const isDeleted = rule.error instanceof ApiError && rule.error.status === 404
  return (
    <Dialog open title={t('lists.rules.edit', 'Edit row-level security rule')} onClose={onClose}>
      {rule.error ? (
        isDeleted ? (
          <ErrorPanel inline title={t('lists.rules.notFound', 'Rule not found')}>
            {t('lists.rules.deleted', 'This rule was deleted.')}
          </ErrorPanel>
        ) : (
          <ErrorPanel inline onRetry={() => void rule.refetch()}>
            {messageOf(rule.error)}
          </ErrorPanel>
        )
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={28} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}

const fieldsOfForm = ['name', 'filter_type', 'tables', 'subjects', 'clause', 'group_key', 'description'] as const

const mapById = (subjects: readonly Subject[]) => new Map(subjects.map((subject) => [String(subject.id), subject]))

interface FormProps {
  rule: Rule | null
  onClose(): void
  /** Reads the rule again, which opens a new form. */
  onReload?: () => void
}

function Form({ rule, onClose, onReload }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [initial] = useState(() => ({
    name: rule?.name ?? '',
    filter_type: rule?.filter_type ?? ('Regular' as RuleType),
    tables: (rule?.tables ?? []).map(({ id }) => String(id)),
    subjects: (rule?.subjects ?? []).map(({ id }) => String(id)),
    clause: rule?.clause ?? '',
    group_key: rule?.group_key ?? '',
    description: rule?.description ?? '',
  }))
  const [draft, setDraft] = useState(initial)
  const [knownSubjects, setKnownSubjects] = useState<ReadonlyMap<string, Subject>>(() => mapById(rule?.subjects ?? []))
  const set = (change: Partial<typeof draft>): void => setDraft((before) => ({ ...before, ...change }))
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const columns = useDatasetColumns(draft.tables[0] === undefined ? undefined : Number(draft.tables[0]))
  const missingForPreview =
    draft.tables.length === 0
      ? t('lists.rules.datasetMissing', 'Select a dataset')
      : draft.clause.trim() === ''
        ? t('lists.rules.clauseMissing', 'Enter a clause')
        : undefined
  const missing = draft.name.trim() === '' ? t('lists.nameMissing', 'Enter a name') : missingForPreview
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        ...draft,
        name: draft.name.trim(),
        tables: draft.tables.map(Number),
        subjects: draft.subjects.map(Number),
        clause: draft.clause.trim(),
        group_key: draft.group_key.trim() || null,
        description: draft.description.trim() || null,
      }
      if (!rule) await api.post('/api/v1/rowlevelsecurity/', { body })
      else
        await api.put('/api/v1/rowlevelsecurity/:id', {
          params: { id: rule.id },
          body: { ...body, changed_on: rule.changed_on },
        })
    },
    onError: () => queries.invalidateQueries({ queryKey: ['rowlevelsecurity', 'list'] }),
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name: draft.name.trim() }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['rowlevelsecurity'] })
    },
  })
  const { errorOf, isConflict, other } = readFormErrors(save.error, fieldsOfForm)
  const load = loadRuleSubjects(t, (found) => setKnownSubjects((before) => new Map([...before, ...mapById(found)])))
  const [fault, setFault] = useState<{ clause: string; issues: ValidationIssue[] } | null>(null)
  const needsCheck = rule !== null && !rule.is_checked
  return (
    <Dialog
      open
      width={720}
      title={
        rule
          ? t('lists.rules.edit', 'Edit row-level security rule')
          : t('lists.rules.new', 'New row-level security rule')
      }
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => missing === undefined && !save.isPending && (dirty || needsCheck ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={missing}>
            {rule ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <FormErrors
          isConflict={isConflict}
          other={other}
          conflictTitle={t('lists.rules.conflict', 'This rule has changed')}
          onReload={onReload}
        />
        {needsCheck && (
          <Banner tone="warning">
            {t(
              'lists.rules.notCheckedSentence',
              'The database could not be reached when the rule was saved. It lets no rows through until you save it again.',
            )}
          </Banner>
        )}
        <Field label={t('lists.column.name', 'Name')} required error={errorOf('name')}>
          <TextInput value={draft.name} onChange={(name) => set({ name })} maxLength={255} data-autofocus />
        </Field>
        <Field label={t('lists.column.type', 'Type')} error={errorOf('filter_type')}>
          <RadioGroup<RuleType>
            value={draft.filter_type}
            onChange={(filter_type) => set({ filter_type })}
            options={[
              {
                value: 'Regular',
                label: ruleTypeLabel(t, 'Regular'),
                help: t(
                  'lists.rules.regularHelp',
                  'Restricts the users that it names, and users with any of its roles or groups.',
                ),
              },
              {
                value: 'Base',
                label: ruleTypeLabel(t, 'Base'),
                help: t(
                  'lists.rules.baseHelp',
                  'Restricts all users except those that it names and those with any of its roles or groups.',
                ),
              },
            ]}
          />
        </Field>
        <Field label={t('lists.rules.datasets', 'Datasets')} required error={errorOf('tables')}>
          <MultiSelect
            value={draft.tables}
            onChange={(tables) => set({ tables })}
            load={loadRelated('rowlevelsecurity', 'tables')}
            labelOf={(value) => {
              const table = rule?.tables.find(({ id }) => String(id) === value)
              return table && [table.schema, table.table_name].filter(Boolean).join('.')
            }}
          />
        </Field>
        <Field
          label={
            draft.filter_type === 'Base'
              ? t('lists.rules.exempt', 'Does not apply to')
              : t('lists.rules.appliesTo', 'Applies to')
          }
          error={errorOf('subjects')}
        >
          <MultiSelect
            value={draft.subjects}
            onChange={(subjects) => set({ subjects })}
            load={load}
            placeholder={t('lists.rules.subjectsPlaceholder', 'Search roles, groups and users')}
            labelOf={(value) => knownSubjects.get(value)?.label}
          />
        </Field>
        <SqlField
          label={t('lists.rules.clause', 'Clause')}
          value={draft.clause}
          onChange={(clause) => set({ clause })}
          names={columns.names.map(({ name, type }) => ({ name, icon: 'columns', note: type }))}
          quote={identifierQuote(columns.backend)}
          templates={clauseTemplates(t)}
          help={t(
            'lists.rules.clauseHelp',
            "SQL condition that visible rows meet, such as region = 'North'. Templates such as {attribute} are allowed; users without the attribute, or with several values, see no rows. For several values: {many}.",
            {
              attribute: "region = {{ user_attribute('region') }}",
              many: "region in {{ user_attribute('region', many=true) | where_in }}",
            },
          )}
          required
          error={errorOf('clause')}
          fault={fault && fault.clause === draft.clause.trim() ? toSqlProblem(draft.clause, fault.issues) : null}
          rows={3}
        />
        {missing === undefined && (
          <p role="status" className={ruleStyles.sentence}>
            {describeRule(t, {
              ...draft,
              clause: draft.clause.trim(),
              subjects: draft.subjects.flatMap((id) => knownSubjects.get(id) ?? []),
            })}
          </p>
        )}
        <Field
          label={t('lists.rules.groupKey', 'Group key')}
          help={t(
            'lists.rules.groupKeyHelp',
            'Rules with the same group key are combined with OR, all others with AND.',
          )}
          error={errorOf('group_key')}
        >
          <TextInput value={draft.group_key} onChange={(group_key) => set({ group_key })} maxLength={255} />
        </Field>
        <Field label={t('lists.description', 'Description')} error={errorOf('description')}>
          <TextArea value={draft.description} onChange={(description) => set({ description })} rows={2} />
        </Field>
        <RulePreview
          onChecked={(clause, problem) => setFault(problem && { clause, issues: [problem] })}
          disabledReason={missingForPreview}
          draft={{
            id: rule?.id ?? null,
            filter_type: draft.filter_type,
            tables: draft.tables.map(Number),
            subjects: draft.subjects.map(Number),
            clause: draft.clause.trim(),
            group_key: draft.group_key.trim() || null,
          }}
        />
      </div>
    </Dialog>
  )
}
