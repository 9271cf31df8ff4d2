import { Button, Field, SegmentedControl, Select, Tabs, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { ExploreColumn, ExploreDataset, ExploreMetric } from '../use-explore.ts'
import { columnIcon } from '../../shared/column-icon.ts'
import { findOperator, leavesOutNulls, nullsLeftOutText } from '../../shared/filter-operators.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { FilterValueField, toComparatorList } from './FilterValueField.tsx'
import {
  resolveOperatorId,
  adaptComparator,
  isMetricFilter,
  latestPartitionFilter,
  metricFilter,
  operatorsFor,
  readComparator,
  simpleFilter,
  sqlFilter,
  type AdhocFilter,
} from './filters.ts'
import { useAdvancedType } from './use-advanced-type.ts'
import { ExpressionPreviewButton } from '../../shared/sql-field/ExpressionPreviewButton.tsx'
import { useExpressionCheck } from '../../shared/sql-field/use-expression-check.ts'
import { usePartitionColumn } from './use-partition-column.ts'
import styles from './controls.module.css'

export interface FilterPopoverProps {
  filter: AdhocFilter | null
  /** Column or metric of a new filter. */
  about?: string | undefined
  dataset: ExploreDataset
  onSave(filter: AdhocFilter): void
  onCancel(): void
}

type OwnSubject = { kind: 'column'; column: ExploreColumn } | { kind: 'metric'; metric: ExploreMetric }

/** Metrics and columns may have the same name. */
const subjectKey = (subject: OwnSubject): string =>
  subject.kind === 'metric' ? `metric.${subject.metric.metric_name}` : `column.${subject.column.column_name}`

const listSubjects = ({ columns, metrics }: ExploreDataset): OwnSubject[] => [
  ...columns.map((column): OwnSubject => ({ kind: 'column', column })),
  ...metrics.map((metric): OwnSubject => ({ kind: 'metric', metric })),
]

/** Editor of one filter: column or metric, operator and value, or SQL. Values load from the database while typing. */
export function FilterPopover({ filter, about, dataset, onSave, onCancel }: FilterPopoverProps) {
  const t = useTranslate()
  const before = filter ?? undefined
  const isOnMetric = filter !== null && isMetricFilter(filter, dataset)
  const isSql = filter?.expressionType === 'SQL' && Boolean(filter.sqlExpression) && !isOnMetric
  const [kind, setKind] = useState<'simple' | 'sql'>(isSql ? 'sql' : 'simple')
  const subjects = listSubjects(dataset)
  const [chosen, setChosen] = useState<string | null>(() => {
    if (filter?.subject) return `${isOnMetric ? 'metric' : 'column'}.${filter.subject}`
    const named = subjects.find((each) => about !== undefined && subjectKey(each).endsWith(`.${about}`))
    return named ? subjectKey(named) : null
  })
  const subject = subjects.find((each) => subjectKey(each) === chosen)
  const column = subject?.kind === 'column' ? subject.column : undefined
  const [operatorId, setOperatorId] = useState<string | null>((filter && findOperator(filter)?.operatorId) ?? null)
  const [value, setValue] = useState<unknown>(filter ? readComparator(filter) : null)
  const [valueError, setValueError] = useState<string>()
  const [expression, setExpression] = useState(filter?.sqlExpression ?? '')
  const [clause, setClause] = useState<'WHERE' | 'HAVING'>(filter?.clause ?? 'WHERE')

  const partitionColumn = usePartitionColumn(dataset)
  const advanced = useAdvancedType(column?.advanced_data_type, toComparatorList(value))
  const backend = dataset.database?.backend
  const offer = { partitionColumn, advanced: advanced.operators, backend }
  const offered = operatorsFor(subject, offer)
  const own = filter && chosen?.endsWith(`.${filter.subject}`) ? findOperator(filter) : undefined
  // A stored operator that the column does not support stays until the user chooses another one.
  const operator =
    offered.find((each) => each.operatorId === operatorId) ??
    (own?.operatorId === operatorId ? own : undefined) ??
    offered[0]

  const sql = expression.trim()
  const fault = useExpressionCheck(
    dataset,
    kind === 'sql' ? { kind: clause === 'HAVING' ? 'having' : 'where', sql: expression } : null,
  )
  const made = (): AdhocFilter | null => {
    if (kind === 'sql') return sql ? sqlFilter(sql, clause, before) : null
    if (subject?.kind === 'metric') return metricFilter(subject.metric, operator, value, before)
    if (column && operator?.operatorId === 'LATEST_PARTITION') return latestPartitionFilter(column, dataset, before)
    const comparator = operator?.valueKind === 'range' && typeof value !== 'string' ? 'No filter' : value
    return simpleFilter(column?.column_name ?? filter?.subject ?? null, operator, comparator, before)
  }
  const result = made()
  const isChanged = filter === null || JSON.stringify(result) !== JSON.stringify({ ...result, ...filter })
  const hasPassed = kind === 'sql' ? fault === null : operator?.valueKind === 'none' || advanced.isPassed
  const reason =
    !result || !hasPassed
      ? ((kind === 'simple' ? valueError : undefined) ?? t('explore.filter.finish', 'Complete the filter first'))
      : isChanged
        ? undefined
        : t('explore.popover.unchanged', 'No changes to save')

  const change = (key: string | null): void => {
    const next = subjects.find((each) => subjectKey(each) === key)
    setChosen(key)
    setOperatorId(resolveOperatorId(operatorId, operatorsFor(next, { partitionColumn, backend })))
    setValue(null)
    setValueError(undefined)
  }

  return (
    <form
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault()
        if (result && hasPassed && isChanged) onSave(result)
      }}
    >
      <Tabs<'simple' | 'sql'>
        value={kind}
        onChange={setKind}
        label={t('explore.filter.kind', 'Filter type')}
        tabs={[
          { value: 'simple', label: t('explore.filter.simple', 'Simple') },
          { value: 'sql', label: t('explore.filter.sql', 'Custom SQL') },
        ]}
      />
      {kind === 'sql' ? (
        <div className={styles.popover}>
          <SegmentedControl<'WHERE' | 'HAVING'>
            label={t('explore.filter.clause', 'Clause')}
            value={clause}
            onChange={setClause}
            options={[
              { value: 'WHERE', label: 'WHERE' },
              { value: 'HAVING', label: 'HAVING' },
            ]}
          />
          <ExpressionField
            label={t('explore.filter.expression', 'Condition')}
            value={expression}
            onChange={setExpression}
            dataset={dataset}
            fault={fault}
          />
          {clause === 'WHERE' && (
            <ExpressionPreviewButton source={dataset} kind="where" sql={expression} isFaulty={fault !== null} />
          )}
        </div>
      ) : (
        <div className={styles.popover}>
          <Field
            label={t('explore.filter.column', 'Column')}
            help={
              dataset.metrics.length === 0
                ? t('explore.filter.metricsInSql', 'To filter on a metric, use Custom SQL tab.')
                : undefined
            }
          >
            <Select<string>
              data-autofocus
              value={chosen}
              selectedLabel={filter?.subject ?? undefined}
              onChange={change}
              nothing={t(
                'explore.filter.noColumn',
                'No such column found. To filter on a metric, try the Custom SQL tab.',
              )}
              options={subjects.flatMap((each) =>
                each.kind === 'metric'
                  ? {
                      value: subjectKey(each),
                      label: dataset.verbose_map[each.metric.metric_name] || each.metric.metric_name,
                      icon: 'function' as const,
                      note: t('explore.filter.metric', 'metric'),
                    }
                  : each.column.filterable
                    ? {
                        value: subjectKey(each),
                        label: dataset.verbose_map[each.column.column_name] || each.column.column_name,
                        icon: columnIcon(each.column),
                      }
                    : [],
              )}
            />
          </Field>
          {chosen !== null && (
            <Field
              label={t('explore.filter.operator', 'Operator')}
              help={
                leavesOutNulls(operator?.operator)
                  ? subject?.kind === 'metric'
                    ? t('explore.filter.nullsOfMetric', 'Groups without a value are left out too.')
                    : nullsLeftOutText(t)
                  : undefined
              }
            >
              <Select<string>
                value={operator?.operatorId ?? null}
                selectedLabel={operator?.label}
                onChange={(id) => {
                  setOperatorId(id)
                  const next = offered.find((each) => each.operatorId === id)
                  setValue(adaptComparator(value, next))
                  if (next?.valueKind !== 'one') setValueError(undefined)
                }}
                options={offered.map((each) => ({
                  value: each.operatorId,
                  label: t(`explore.operator.${each.operatorId}`, each.label),
                }))}
              />
            </Field>
          )}
          {chosen !== null && operator && (
            <FilterValueField
              key={chosen}
              valueKind={operator.valueKind}
              subject={subject}
              dataset={dataset}
              value={value}
              onChange={(next, error) => {
                setValue(next)
                setValueError(error)
              }}
              error={valueError}
              advanced={advanced}
            />
          )}
        </div>
      )}
      {filter?.isExtra && (
        <p className={styles.note}>
          {t(
            'explore.filter.inherited',
            "This filter was inherited from the dashboard's context. It won't be saved when saving the chart.",
          )}
        </p>
      )}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.close', 'Close')}</Button>
        <Button variant="primary" type="submit" disabledReason={reason}>
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}
