import {
  Button,
  Field,
  MultiSelect,
  NumberInput,
  Segmented,
  Select,
  Tabs,
  TextArea,
  TextInput,
  useText,
} from '@parquetry/ui'
import { useState } from 'react'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { valuesOf } from '../column-values.ts'
import type { ExploreDataset } from '../use-explore.ts'
import { iconOfColumn } from './columns.ts'
import { fitting, operatorOf, operatorsFor, simpleFilter, sqlFilter, type AdhocFilter } from './filters.ts'
import styles from './controls.module.css'

export interface FilterPopoverProps {
  filter: AdhocFilter | null
  dataset: ExploreDataset
  onSave(filter: AdhocFilter): void
  onCancel(): void
}

/** One filter: column, operator and value, or SQL. Values come from the database as they are typed. */
export function FilterPopover({ filter, dataset, onSave, onCancel }: FilterPopoverProps) {
  const t = useText()
  const [kind, setKind] = useState<'simple' | 'sql'>(filter?.expressionType === 'SQL' ? 'sql' : 'simple')
  const [subject, setSubject] = useState<string | null>(filter?.subject ?? null)
  const column = dataset.columns.find(({ column_name }) => column_name === subject)
  const offered = operatorsFor(column)
  const [operatorId, setOperatorId] = useState<string | null>((filter && operatorOf(filter)?.operatorId) ?? null)
  const operator =
    offered.find((each) => each.operatorId === operatorId) ??
    (filter?.subject === subject && filter ? operatorOf(filter) : offered[0])
  const [value, setValue] = useState<unknown>(filter?.comparator ?? null)
  const [expression, setExpression] = useState(filter?.sqlExpression ?? '')
  const [clause, setClause] = useState<'WHERE' | 'HAVING'>(filter?.clause ?? 'WHERE')

  const before = filter ?? undefined
  const range = typeof value === 'string' ? value : 'No filter'
  const result =
    kind === 'sql'
      ? expression.trim()
        ? sqlFilter(expression.trim(), clause, before)
        : null
      : simpleFilter(subject, operator, operator?.takes === 'range' ? range : value, before)
  const isNumber = column?.type_generic === 0
  const isChanged = filter === null || JSON.stringify(result) !== JSON.stringify({ ...result, ...filter })
  const reason = !result
    ? t('explore.filter.finish', 'Choose column, operator and value first')
    : isChanged
      ? undefined
      : t('explore.popover.unchanged', 'Nothing has changed')
  const list = (
    Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]
  ) as (string | number)[]

  return (
    <form
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault()
        if (result && isChanged) onSave(result)
      }}
    >
      <Tabs<'simple' | 'sql'>
        value={kind}
        onChange={setKind}
        label={t('explore.filter.kind', 'Kind of filter')}
        tabs={[
          { value: 'simple', label: t('explore.filter.simple', 'Simple') },
          { value: 'sql', label: t('explore.filter.sql', 'Custom SQL') },
        ]}
      />
      {kind === 'sql' ? (
        <>
          <Segmented<'WHERE' | 'HAVING'>
            label={t('explore.filter.clause', 'Clause')}
            value={clause}
            onChange={setClause}
            options={[
              { value: 'WHERE', label: 'WHERE' },
              { value: 'HAVING', label: 'HAVING' },
            ]}
          />
          <Field label={t('explore.filter.expression', 'Condition')}>
            <TextArea value={expression} onChange={setExpression} rows={4} mono />
          </Field>
        </>
      ) : (
        <>
          <Field label={t('explore.filter.column', 'Column')}>
            <Select<string>
              data-autofocus
              value={subject}
              onChange={(name) => {
                setSubject(name)
                setOperatorId(null)
                setValue(null)
              }}
              options={dataset.columns
                .filter(({ filterable }) => filterable)
                .map((each) => ({
                  value: each.column_name,
                  label: each.verbose_name || each.column_name,
                  icon: iconOfColumn(each),
                }))}
            />
          </Field>
          {subject !== null && (
            <Field label={t('explore.filter.operator', 'Operator')}>
              <Select<string>
                value={operator?.operatorId ?? null}
                onChange={(id) => {
                  setOperatorId(id)
                  setValue(
                    fitting(
                      value,
                      offered.find((each) => each.operatorId === id),
                    ),
                  )
                }}
                options={offered.map((each) => ({
                  value: each.operatorId,
                  label: t(`explore.operator.${each.operatorId}`, each.words),
                }))}
              />
            </Field>
          )}
          {operator?.takes === 'range' && (
            <TimeRangePicker
              label={t('explore.filter.range', 'Time range')}
              value={range}
              onChange={setValue}
              column={subject ?? undefined}
            />
          )}
          {subject !== null && operator?.takes === 'one' && (
            <Field label={t('explore.filter.value', 'Value')}>
              {isNumber ? (
                <NumberInput value={typeof value === 'number' ? value : null} onChange={setValue} />
              ) : (
                <TextInput value={typeof value === 'string' ? value : ''} onChange={setValue} />
              )}
            </Field>
          )}
          {operator?.takes === 'many' && subject && (
            <Field label={t('explore.filter.values', 'Values')}>
              {isNumber ? (
                <MultiSelect<number>
                  value={list.map(Number)}
                  onChange={setValue}
                  load={valuesOf<number>(dataset, subject)}
                />
              ) : (
                <MultiSelect<string>
                  value={list.map(String)}
                  onChange={setValue}
                  load={valuesOf<string>(dataset, subject)}
                  freeText
                />
              )}
            </Field>
          )}
        </>
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
