import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import { Field, Icon, MultiSelect, Select, Tooltip, useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { LaterPicker } from '../../shared/time-range/LaterPicker.tsx'
import { useBoard } from '../state/context.ts'
import {
  columnOf,
  hasValue,
  isInverse,
  isMultiple,
  isRequired,
  labelOfEntry,
  labelOfValue,
  selectEntry,
  timeEntry,
  valueOf,
  type FilterValue,
} from './mask.ts'
import { keyOf, valueLoader, valueOfKey } from './values.ts'
import styles from './Filters.module.css'

export interface FilterControlProps {
  filter: NativeFilter
  entry: DataMaskEntry | undefined
  /** Chosen and not applied yet. */
  isChanged: boolean
  onChange(entry: DataMaskEntry): void
  onHover?(isOver: boolean): void
}

/** One filter of the bar: label, what it is, control. */
export function FilterControl(props: FilterControlProps) {
  const t = useText()
  const { filter, entry, isChanged, onHover } = props
  const name = filter.name ?? columnOf(filter) ?? ''
  const isMissing = isRequired(filter) && !hasValue(entry)
  return (
    <div
      className={styles.filter}
      data-filter={filter.id}
      onPointerEnter={() => onHover?.(true)}
      onPointerLeave={() => onHover?.(false)}
    >
      <Field
        label={name}
        required={isRequired(filter)}
        error={isMissing ? t('dashboard.choose', 'Choose {name} to see its charts.', { name }) : undefined}
        aside={
          <>
            {filter.description && (
              <Tooltip text={filter.description}>
                <span className={styles.info} tabIndex={0} role="img" aria-label={filter.description}>
                  <Icon name="info" size={14} />
                </span>
              </Tooltip>
            )}
            {isChanged && (
              <span
                className={styles.changed}
                role="img"
                aria-label={t('dashboard.notAppliedYet', 'Changed, not applied yet')}
              />
            )}
          </>
        }
      >
        <Control {...props} name={name} />
      </Field>
    </div>
  )
}

function Control({ filter, entry, onChange, name }: FilterControlProps & { name: string }) {
  const t = useText()
  switch (filter.filterType) {
    case 'filter_select':
      return <SelectControl filter={filter} entry={entry} onChange={onChange} />
    case 'filter_time':
      return (
        <LaterPicker
          label={name}
          value={typeof valueOf(entry) === 'string' ? (valueOf(entry) as string) : 'No filter'}
          onChange={(range) => onChange(timeEntry(filter, range))}
        />
      )
    default:
      return (
        <p className={styles.note}>
          {hasValue(entry) ? labelOfEntry(entry) : t('dashboard.noValue', 'No value')}
          {' · '}
          {t('dashboard.kindLater', 'This kind of filter works and cannot be changed here yet.')}
        </p>
      )
  }
}

const listOf = (value: unknown): FilterValue[] =>
  (Array.isArray(value) ? value : value == null ? [] : [value]) as FilterValue[]

function SelectControl({ filter, entry, onChange }: Pick<FilterControlProps, 'filter' | 'entry' | 'onChange'>) {
  const t = useText()
  const dashboardId = useBoard(({ dashboard }) => dashboard.result.id)
  const mask = useBoard((state) => state.chosen)
  const above = JSON.stringify((filter.cascadeParentIds ?? []).map((id) => mask[id]?.extraFormData))
  // What the parents filter is all that the loader reads of the mask.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const load = useMemo(() => valueLoader(filter, dashboardId, mask), [filter, dashboardId, above])
  const values = listOf(valueOf(entry))
  const labelOf = (key: string) => labelOfValue(valueOfKey(key))
  const prefix = isInverse(filter) ? t('dashboard.not', 'not') : undefined
  if (!isMultiple(filter)) {
    const [value] = values
    return (
      <Select
        load={load}
        prefix={prefix}
        clearable
        value={value === undefined ? null : keyOf(value)}
        selectedLabel={value === undefined ? undefined : labelOfValue(value)}
        placeholder={t('dashboard.anyValue', 'All')}
        onChange={(key) => onChange(selectEntry(filter, key === null ? [] : [valueOfKey(key)]))}
      />
    )
  }
  return (
    <MultiSelect
      load={load}
      prefix={prefix}
      value={values.map(keyOf)}
      labelOf={labelOf}
      selectAll
      freeText={filter.controlValues?.creatable !== false}
      placeholder={t('dashboard.anyValue', 'All')}
      onChange={(keys) => onChange(selectEntry(filter, keys.map(valueOfKey)))}
    />
  )
}
