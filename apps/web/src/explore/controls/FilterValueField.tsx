import { Field, MultiSelect, NumberInput, TextInput, useTranslate } from '@parquetry/ui'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { loadColumnValues } from '../column-values.ts'
import type { ExploreDataset } from '../use-explore.ts'
import type { Operator, FilterSubject } from './filters.ts'
import type { AdvancedType } from './use-advanced-type.ts'

export interface FilterValueFieldProps {
  valueKind: Operator['valueKind']
  /** Undefined for a column that the dataset no longer has; its values are typed. */
  subject: FilterSubject | undefined
  dataset: ExploreDataset
  value: unknown
  onChange(value: unknown): void
  advanced: AdvancedType
}

/** Normalizes a comparator to a list. */
export const toComparatorList = (value: unknown): (string | number)[] =>
  (Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]) as (
    | string
    | number
  )[]

const readNumber = (text: string): number | null => {
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

/** Value field of a filter: none, a time range, one value, or several values of the column. */
export function FilterValueField({ valueKind, subject, dataset, value, onChange, advanced }: FilterValueFieldProps) {
  const t = useTranslate()
  const column = subject?.kind === 'column' ? subject.column : undefined
  const isAdvanced = advanced.operators !== null
  const isOffered = dataset.filter_select !== false
  const isNumber = !isAdvanced && (subject?.kind === 'metric' || column?.type_generic === 0)
  const help = advanced.display || undefined
  const error = advanced.error ?? undefined
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
          <NumberInput value={typeof value === 'number' ? value : null} onChange={onChange} />
        ) : (
          <TextInput value={typeof value === 'string' ? value : ''} onChange={onChange} />
        )}
      </Field>
    )
  return (
    <Field label={t('explore.filter.values', 'Values')} help={help} error={error}>
      {isNumber ? (
        <MultiSelect<number>
          value={toComparatorList(value).map(Number)}
          onChange={onChange}
          {...(column && isOffered ? { load: loadColumnValues<number>(dataset, column.column_name) } : { options: [] })}
          freeText={readNumber}
        />
      ) : (
        <MultiSelect<string>
          value={toComparatorList(value).map(String)}
          onChange={onChange}
          {...(column && isOffered && !isAdvanced
            ? { load: loadColumnValues<string>(dataset, column.column_name) }
            : { options: [] })}
          freeText
        />
      )}
    </Field>
  )
}
