import { hasApproximatePercentiles, type AdhocMetric, type QueryMetric } from '@parquetry/model'
import { Button, Field, NumberInput, Select, Tabs, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { ExploreDataset } from '../use-explore.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { ExpressionPreviewButton } from '../../shared/sql-field/ExpressionPreviewButton.tsx'
import { useExpressionCheck } from '../../shared/sql-field/use-expression-check.ts'
import {
  aggregatesFor,
  forbidsAdhoc,
  classifyMetric,
  listStatisticOptions,
  namedMetric,
  optionOfStatistic,
  readStatistic,
  simpleMetric,
  sqlMetric,
  statisticMetric,
  toStatistic,
  type MetricKind,
} from './metrics.ts'
import styles from './controls.module.css'

export interface MetricPopoverProps {
  /** Null for a new one. */
  metric: QueryMetric | null
  dataset: ExploreDataset
  onSave(metric: QueryMetric): void
  onCancel(): void
}

/** Editor of one metric: a saved one, an aggregate of a column, or SQL. Changes apply on Save. */
export function MetricPopover({ metric, dataset, onSave, onCancel }: MetricPopoverProps) {
  const t = useTranslate()
  const adhoc: AdhocMetric | undefined = metric !== null && typeof metric !== 'string' ? metric : undefined
  const stored = adhoc && readStatistic(adhoc, dataset)
  const [kind, setKind] = useState<MetricKind>(classifyMetric(metric, dataset))
  const [saved, setSaved] = useState<string | null>(typeof metric === 'string' ? metric : null)
  const [column, setColumn] = useState<string | null>(stored?.column ?? adhoc?.column?.column_name ?? null)
  const [aggregate, setAggregate] = useState<string | null>(
    (stored && optionOfStatistic(stored.statistic)) ?? adhoc?.aggregate ?? null,
  )
  const [percent, setPercent] = useState<number | null>(stored?.statistic.percent ?? 90)
  const [expression, setExpression] = useState(adhoc?.sqlExpression ?? '')
  const isNamed = stored ? stored.isNamed : adhoc?.hasCustomLabel
  const [label, setLabel] = useState(isNamed ? (adhoc?.label ?? '') : '')

  const chosen = dataset.columns.find(({ column_name }) => column_name === column)
  const aggregateMetric = (of: NonNullable<typeof chosen>, name: string, before: AdhocMetric | undefined) => {
    const statistic = toStatistic(name, percent)
    if (statistic) return statisticMetric(of, statistic, dataset, before)
    return name === 'PERCENTILE' ? null : simpleMetric(of, name, before)
  }
  const buildMetric = (): QueryMetric | null => {
    if (kind === 'saved') return saved
    const before = adhoc && { ...adhoc, hasCustomLabel: false }
    const next =
      kind === 'sql'
        ? expression.trim()
          ? sqlMetric(expression.trim(), before)
          : null
        : chosen && aggregate
          ? aggregateMetric(chosen, aggregate, before)
          : null
    return next && label.trim() ? namedMetric(next, label.trim()) : next
  }
  const isNumeric = (chosen?.type_generic ?? 0) === 0
  const statistics = isNumeric ? listStatisticOptions(dataset) : []
  const isEstimate = hasApproximatePercentiles(dataset.database?.backend)
  const result = buildMetric()
  const isChanged = JSON.stringify(result) !== JSON.stringify(metric)
  const fault = useExpressionCheck(dataset, kind === 'sql' ? { kind: 'metric', sql: expression } : null)
  const isForbidden = forbidsAdhoc(dataset)
  const reason =
    result === null || fault !== null
      ? t('explore.metric.choose', 'Complete the metric first')
      : isChanged
        ? undefined
        : t('explore.popover.unchanged', 'No changes to save')

  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        if (result !== null && fault === null && isChanged) onSave(result)
      }}
    >
      <Tabs<MetricKind>
        value={kind}
        onChange={setKind}
        label={t('explore.metric.kind', 'Metric type')}
        tabs={[
          { value: 'saved', label: t('explore.metric.saved', 'Saved') },
          {
            value: 'simple',
            label: t('explore.metric.simple', 'Simple'),
            disabledReason: isForbidden
              ? t('explore.metric.noSimple', 'Simple ad-hoc metrics are not enabled for this dataset')
              : undefined,
          },
          {
            value: 'sql',
            label: t('explore.metric.sql', 'Custom SQL'),
            disabledReason: isForbidden
              ? t('explore.metric.noSql', 'Custom SQL ad-hoc metrics are not enabled for this dataset')
              : undefined,
          },
        ]}
      />
      {kind === 'saved' &&
        (dataset.metrics.length === 0 ? (
          <p className={styles.note}>{t('explore.metric.noSaved', 'No saved metrics found')}</p>
        ) : (
          <Field label={t('explore.metric.savedLabel', 'Metric')}>
            <Select<string>
              value={saved}
              onChange={setSaved}
              options={dataset.metrics.map(({ metric_name, verbose_name }) => ({
                value: metric_name,
                label: verbose_name || metric_name,
              }))}
            />
          </Field>
        ))}
      {kind === 'simple' && (
        <>
          <Field label={t('explore.metric.column', 'Column')}>
            <Select<string>
              value={column}
              onChange={setColumn}
              options={dataset.columns.map(({ column_name, verbose_name, type }) => ({
                value: column_name,
                label: verbose_name || column_name,
                note: (type ?? '').toLowerCase(),
              }))}
            />
          </Field>
          <Field label={t('explore.metric.aggregate', 'Aggregate')}>
            <Select<string>
              value={aggregate}
              onChange={setAggregate}
              options={[
                ...aggregatesFor(chosen?.type_generic ?? null).map((value) => ({ value, label: value })),
                ...statistics.map((value) => ({
                  value,
                  label: value,
                  ...(isEstimate && /^(MEDIAN|P)/.test(value) && { note: t('explore.metric.estimate', 'estimate') }),
                })),
              ]}
            />
          </Field>
          {aggregate === 'PERCENTILE' && (
            <Field
              label={t('explore.metric.percent', 'Percent')}
              help={t('explore.metric.percentHelp', 'The share of values at or below the result, such as 99.9.')}
            >
              <NumberInput value={percent} onChange={setPercent} min={0} max={100} emptyWhenInvalid />
            </Field>
          )}
        </>
      )}
      {kind === 'sql' && (
        <ExpressionField
          label={t('explore.metric.expression', 'SQL expression')}
          help={t('explore.metric.expressionHelp', 'Enter an aggregate expression, for example SUM(delay) / 60.')}
          value={expression}
          onChange={setExpression}
          dataset={dataset}
          fault={fault}
        />
      )}
      {kind === 'sql' && (
        <ExpressionPreviewButton source={dataset} kind="metric" sql={expression} isFaulty={fault !== null} />
      )}
      {kind !== 'saved' && (
        <Field label={t('explore.metric.name', 'Name')}>
          <TextInput value={label} onChange={setLabel} placeholder={t('explore.metric.nameOf', 'Same as expression')} />
        </Field>
      )}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button variant="primary" type="submit" disabledReason={reason}>
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}
