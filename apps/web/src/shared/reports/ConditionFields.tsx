import type { ReportConditionResult, ValidatorOperator } from '@parquetry/model'
import { Button, Field, Icon, NumberInput, SegmentedControl, Select, TextArea, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { formatNumber } from '../formats.ts'
import { findMissingCondition } from './find-missing.ts'
import { toConditionRequest, type ReportDraft } from './report-draft.ts'
import type { ReportFormPart } from './report-form.ts'
import { loadDatasets, loadTargets, useDatasetMetrics } from './report-options.ts'
import { useScrollTo } from './use-scroll-to.ts'
import styles from './reports.module.css'

const timeRanges = ['No filter', 'Last day', 'Last week', 'Last month', 'Last quarter', 'Last year'] as const

/** The condition of an alert: a value from SQL or of a metric, compared with a threshold. It can be tested on the spot. */
export function ConditionFields(part: ReportFormPart) {
  const { draft, set, stored, page, errorOf } = part
  const t = useTranslate()
  const isSql = draft.condition === 'sql'
  const test = useMutation({
    mutationFn: async () => {
      const body = toConditionRequest(draft, { stored, page })
      const { result } = await api.post('/api/v1/report/test_condition', { body })
      return { result, of: conditionOf(draft) }
    },
  })
  const isCurrent = test.data?.of === conditionOf(draft)
  const operators: { value: ReportDraft['operator']; label: string }[] = [
    { value: '>', label: t('reports.op.more', '> greater than') },
    { value: '>=', label: t('reports.op.atLeast', '≥ at least') },
    { value: '<', label: t('reports.op.less', '< less than') },
    { value: '<=', label: t('reports.op.atMost', '≤ at most') },
    { value: '==', label: t('reports.op.equal', '= equal to') },
    { value: '!=', label: t('reports.op.unequal', '≠ not equal to') },
    { value: 'not null', label: t('reports.op.notNull', 'is not null') },
  ]
  const status = useScrollTo<HTMLParagraphElement>(test.data ?? test.error)
  return (
    <>
      <div className={styles.line}>
        <Field label={t('reports.condition', 'Value from')}>
          <SegmentedControl<ReportDraft['condition']>
            value={draft.condition}
            onChange={(condition) => set({ condition })}
            label={t('reports.condition', 'Value from')}
            options={[
              { value: 'sql', label: t('reports.condition.sql', 'SQL'), icon: 'sql' },
              { value: 'metric', label: t('reports.condition.metric', 'Metric'), icon: 'function' },
            ]}
          />
        </Field>
      </div>
      {isSql ? <SqlFields {...part} /> : <MetricFields {...part} />}
      <div className={styles.line}>
        <Field label={t('reports.operator', 'Condition')} error={errorOf('validator_type', 'operator')}>
          <Select<ValidatorOperator | 'not null'>
            value={draft.operator}
            onChange={(operator) => operator && set({ operator })}
            options={operators}
          />
        </Field>
        {draft.operator !== 'not null' && (
          <Field
            label={t('reports.threshold', 'Threshold')}
            required
            error={errorOf('validator_config_json', 'threshold', 'operator')}
          >
            <NumberInput value={draft.threshold} onChange={(threshold) => set({ threshold })} />
          </Field>
        )}
        <span className={styles.beside}>
          <Button
            icon="play"
            onClick={() => test.mutate()}
            busy={test.isPending}
            disabledReason={findMissingCondition(t, draft)}
          >
            {t('reports.test', 'Test')}
          </Button>
        </span>
      </div>
      <p
        ref={status}
        className={styles.next}
        role="status"
        data-wrong={test.error && !test.isPending ? true : undefined}
      >
        {test.error && !test.isPending
          ? messageOf(test.error)
          : isCurrent && test.data && <TestResult result={test.data.result} />}
      </p>
    </>
  )
}

const conditionOf = ({
  condition,
  database,
  sql,
  dataset,
  metric,
  timeRange,
  operator,
  threshold,
}: ReportDraft): string => JSON.stringify([condition, database, sql, dataset, metric, timeRange, operator, threshold])

function TestResult({ result: { value, is_triggered } }: { result: ReportConditionResult }) {
  const t = useTranslate()
  const shown =
    value === null
      ? t('reports.noValue', 'The query returned no value.')
      : t('reports.value', 'Current value: {value}', { value: formatNumber(value, { maximumFractionDigits: 6 }) })
  return (
    <>
      <strong>{shown}</strong>
      <span className={styles.verdict}>
        <Icon name={is_triggered ? 'alert' : 'check'} />
        {is_triggered
          ? t('reports.wouldFire', 'The alert would be sent now.')
          : t('reports.wouldNotFire', 'The alert would not be sent now.')}
      </span>
    </>
  )
}

function SqlFields({ draft, set, stored, errorOf }: ReportFormPart) {
  const t = useTranslate()
  return (
    <>
      <Field label={t('reports.database', 'Database')} required error={errorOf('database', 'database')}>
        <Select
          value={draft.database}
          onChange={(database) => set({ database })}
          load={loadTargets('database')}
          selectedLabel={stored?.database?.id === draft.database ? stored?.database?.database_name : undefined}
          icon="database"
        />
      </Field>
      <Field
        label={t('reports.sql', 'SQL')}
        required
        help={t('reports.sqlHelp', 'One number: a query that returns one row with one column.')}
        error={errorOf('sql', 'sql', 'database')}
      >
        <TextArea value={draft.sql} onChange={(sql) => set({ sql })} rows={4} mono spellCheck={false} />
      </Field>
    </>
  )
}

function MetricFields({ draft, set, errorOf }: ReportFormPart) {
  const t = useTranslate()
  const dataset = useDatasetMetrics(draft.dataset)
  const own = typeof draft.metric === 'object' && draft.metric !== null
  const metrics = (dataset.data?.metrics ?? []).map(({ metric_name, verbose_name }) => ({
    value: metric_name,
    label: verbose_name || metric_name,
  }))
  return (
    <div className={styles.three}>
      <Field
        label={t('reports.dataset', 'Dataset')}
        required
        error={errorOf('extra', 'dataset', 'metric', 'timeRange')}
      >
        <Select
          value={draft.dataset}
          onChange={(next) => set({ dataset: next, metric: null })}
          load={loadDatasets}
          selectedLabel={dataset.data?.table_name}
          icon="dataset"
        />
      </Field>
      <Field label={t('reports.metric', 'Metric')} required>
        <Select
          key={draft.dataset}
          value={own ? '' : (draft.metric as string | null)}
          selectedLabel={own ? t('reports.ownMetric', 'Custom metric') : undefined}
          onChange={(next) => set({ metric: next })}
          options={metrics}
          disabledReason={draft.dataset === null ? t('reports.missing.dataset', 'Select a dataset') : undefined}
        />
      </Field>
      <Field label={t('reports.timeRange', 'Time range')}>
        <Select
          value={draft.timeRange}
          onChange={(next) => set({ timeRange: next ?? 'No filter' })}
          options={[
            { value: timeRanges[0], label: t('reports.noTimeRange', 'All data') },
            ...timeRanges.slice(1).map((value) => ({ value, label: value })),
          ]}
          freeText
        />
      </Field>
    </div>
  )
}
