import type { NativeFilter } from '@parquetry/model'
import { Button, Field, IconButton, MultiSelect, Select, TextInput, useTranslate } from '@parquetry/ui'
import { leavesOutNulls, nullsLeftOutText } from '../../shared/filter-operators.ts'
import type { LoadedDataset } from '../data/calls.ts'
import { toList } from './mask.ts'
import styles from './FilterConfig.module.css'

interface Condition {
  expressionType: 'SIMPLE' | 'SQL'
  clause: 'WHERE'
  subject?: string
  operator?: string
  comparator?: unknown
  sqlExpression?: string
}

const operators = [
  'IN',
  'NOT IN',
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'LIKE',
  'ILIKE',
  'NOT LIKE',
  'IS NULL',
  'IS NOT NULL',
] as const
const isUnary = (operator: string | undefined) => operator?.startsWith('IS ') ?? false
const isListOperator = (operator: string | undefined) => operator?.endsWith('IN') ?? false

interface PreFilterProps {
  filter: NativeFilter
  columns: NonNullable<LoadedDataset['columns']>
  onChange(filter: NativeFilter): void
}

/** Conditions on the offered values. SQL conditions, which other tools create, can only be viewed and removed. */
export function PreFilter({ filter, columns, onChange }: PreFilterProps) {
  const t = useTranslate()
  const conditions = toList(filter.adhoc_filters) as Condition[]
  const setConditions = (next: readonly Condition[]) => onChange({ ...filter, adhoc_filters: [...next] })
  const change = (at: number, part: Partial<Condition>) =>
    setConditions(conditions.map((each, index) => (index === at ? { ...each, ...part } : each)))
  const add = () =>
    setConditions([...conditions, { expressionType: 'SIMPLE', clause: 'WHERE', operator: 'IN', comparator: [] }])
  const help = conditions.some(({ operator }) => leavesOutNulls(operator)) ? nullsLeftOutText(t) : undefined
  return (
    <Field label={t('dashboard.preFilter', 'Limit values to rows where')} help={help} group>
      {conditions.map((condition, at) => (
        // Conditions have no ids. Their inputs are controlled, so an index key is safe.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={styles.condition}>
          {condition.expressionType === 'SQL' ? (
            <code>{condition.sqlExpression}</code>
          ) : (
            <>
              <Select<string>
                aria-label={t('dashboard.filterColumn', 'Column')}
                value={condition.subject ?? null}
                onChange={(subject) => change(at, { subject: subject ?? '' })}
                options={columns.map(({ column_name, verbose_name }) => ({
                  value: column_name,
                  label: verbose_name || column_name,
                }))}
              />
              <Select<string>
                aria-label={t('dashboard.operator', 'Operator')}
                value={condition.operator ?? null}
                onChange={(operator) =>
                  change(at, { operator: operator ?? 'IN', comparator: isListOperator(operator ?? 'IN') ? [] : '' })
                }
                options={operators.map((value) => ({ value, label: value }))}
              />
              {!isUnary(condition.operator) &&
                (isListOperator(condition.operator) ? (
                  <MultiSelect<string>
                    aria-label={t('dashboard.conditionValues', 'Values')}
                    options={[]}
                    freeText
                    value={toList(condition.comparator).map(String)}
                    onChange={(comparator) => change(at, { comparator })}
                  />
                ) : (
                  <TextInput
                    aria-label={t('dashboard.conditionValue', 'Value')}
                    value={String(condition.comparator ?? '')}
                    onChange={(comparator) => change(at, { comparator })}
                  />
                ))}
            </>
          )}
          <IconButton
            icon="trash"
            label={t('dashboard.removeCondition', 'Remove condition')}
            onClick={() => setConditions(conditions.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon="plus" variant="quiet" onClick={add}>
        {t('dashboard.addCondition', 'Add condition')}
      </Button>
    </Field>
  )
}
