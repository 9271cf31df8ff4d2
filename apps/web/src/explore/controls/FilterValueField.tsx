import { readExactNumber } from '@parquetry/model'
import { Field, MultiSelect, TextInput, toPlainNumber, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { labelOfKey, loadColumnValues, nullKey } from '../column-values.ts'
import type { ExploreDataset } from '../use-explore.ts'
import type { Operator } from '../../shared/filter-operators.ts'
import type { FilterSubject } from './filters.ts'
import type { AdvancedType } from './use-advanced-type.ts'

export interface FilterValueFieldProps {
  valueKind: Operator['valueKind']
  /** Undefined for a column that the dataset no longer has; its values are typed. */
  subject: FilterSubject | undefined
  dataset: ExploreDataset
  value: unknown
  /** @param error why what was typed is not a value */
  onChange(value: unknown, error?: string): void
  error: string | undefined
  advanced: AdvancedType
}

/** Normalizes a comparator to a list. */
export const toComparatorList = (value: unknown): (string | number | null)[] =>
  (Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]) as (
    | string
    | number
    | null
  )[]

/** Value of a typed number: a number, the text of its digits if a number would lose some, or null. */
const readTyped = (text: string): number | string | null =>
  readExactNumber(toPlainNumber(text) ?? '') ?? specialNumber(text)

/** `NaN` and the infinities, which a column of floats may contain. */
const specialNumber = (text: string): string | null => (/^(NaN|-?Infinity)$/.test(text.trim()) ? text.trim() : null)

const toOptionKey = (value: string | number | null): string => (value === null ? nullKey : String(value))

/** Number field that keeps every typed digit. */
function ExactNumberInput({ value, onChange }: Pick<FilterValueFieldProps, 'value' | 'onChange'>) {
  const t = useTranslate()
  const [draft, setDraft] = useState<string | null>(null)
  const stored = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const change = (text: string): void => {
    setDraft(text)
    const typed = readTyped(text)
    const isFaulty = typed === null && text.trim() !== ''
    onChange(typed, isFaulty ? t('explore.filter.notNumber', 'Enter a number') : undefined)
  }
  return (
    <TextInput
      role="spinbutton"
      inputMode="decimal"
      value={draft ?? stored}
      onChange={change}
      onBlur={() => stored !== '' && setDraft(null)}
    />
  )
}

/** Value field of a filter: none, a time range, one value, or several values of the column. */
export function FilterValueField({ valueKind, subject, dataset, value, onChange, ...props }: FilterValueFieldProps) {
  const t = useTranslate()
  const { advanced } = props
  const column = subject?.kind === 'column' ? subject.column : undefined
  const isAdvanced = advanced.operators !== null
  const isOffered = dataset.filter_select !== false
  const isNumber = !isAdvanced && (subject?.kind === 'metric' || column?.type_generic === 0)
  const help = advanced.display || undefined
  const error = props.error ?? advanced.error ?? undefined
  if (valueKind === 'range')
    return (
      <TimeRangePicker
        label={t('explore.filter.range', 'Time range')}
        value={typeof value === 'string' ? value : 'No filter'}
        onChange={onChange}
        column={column?.column_name}
        source={column && { dataset, column: column.column_name }}
      />
    )
  if (valueKind === 'none')
    return (
      <Field label={t('explore.filter.value', 'Value')}>
        <TextInput
          value=""
          onChange={() => undefined}
          disabled
          placeholder={t('explore.filter.noValue', 'This operator takes no value')}
        />
      </Field>
    )
  if (valueKind === 'one')
    return (
      <Field label={t('explore.filter.value', 'Value')} help={help} error={error}>
        {isNumber ? (
          <ExactNumberInput value={value} onChange={onChange} />
        ) : (
          <TextInput value={typeof value === 'string' ? value : ''} onChange={onChange} />
        )}
      </Field>
    )
  return (
    <Field label={t('explore.filter.values', 'Values')} help={help} error={error}>
      {isNumber ? (
        <MultiSelect<string>
          value={toComparatorList(value).map(toOptionKey)}
          labelOf={labelOfKey}
          onChange={(keys) => onChange(keys.map((key) => (key === nullKey ? null : (readTyped(key) ?? key))))}
          {...(column && isOffered ? { load: loadColumnValues(dataset, column.column_name) } : { options: [] })}
          freeText={(text) => {
            const read = readTyped(text)
            return read === null ? null : String(read)
          }}
        />
      ) : (
        <MultiSelect<string>
          value={toComparatorList(value).map(toOptionKey)}
          labelOf={labelOfKey}
          onChange={(keys) => onChange(keys.map((key) => (key === nullKey ? null : key)))}
          {...(column && isOffered && !isAdvanced
            ? { load: loadColumnValues(dataset, column.column_name) }
            : { options: [] })}
          freeText
        />
      )}
    </Field>
  )
}
