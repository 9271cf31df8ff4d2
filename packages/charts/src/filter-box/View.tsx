import type { Cell } from '@parquetry/frame'
import { toLikePattern } from '@parquetry/model'
import { Button, Field, MultiSelect, Select, useTranslate, type LoadOptions, type Option } from '@parquetry/ui'
import { useState } from 'react'
import { formatValue } from '../shared/formats/format.ts'
import type { FilterHost, ViewProps } from '../views/view.ts'
import { maxFilterValues, readFilterOptions, type FilterBoxSpec, type FilterOption } from './chart.ts'
import {
  readChoices,
  buildFilterBoxMask,
  timeKeys,
  listChosenValues,
  type Choices,
  type ChosenValue,
} from './choices.ts'
import styles from './filter-box.module.css'

/** Filters of the box. Choices wait for Apply, unless the box filters immediately. */
export default function FilterBoxView({ spec: given, form, label, filtering }: ViewProps) {
  const spec = given as FilterBoxSpec
  const inForce = filtering?.filterState ? readChoices(filtering.filterState) : spec.defaults
  const [pending, setPending] = useState<Choices | null>(null)
  const choices = pending ?? inForce
  const apply = (next: Choices): void => {
    setPending(filtering?.onMask ? null : next)
    filtering?.onMask?.(buildFilterBoxMask(form, next))
  }
  const choose = (name: string, value: Choices[string]): void => {
    const next = { ...choices, [name]: value }
    if (spec.isInstant) apply(next)
    else setPending(next)
  }
  const { words, time } = spec
  return (
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault()
          apply(choices)
        }}
      >
        {time.range && filtering && (
          <Field label={words.range} group>
            <filtering.TimeRange
              label={words.range}
              value={toText(choices[timeKeys.range]) || 'No filter'}
              onChange={(range) => choose(timeKeys.range, range)}
            />
          </Field>
        )}
        {time.grain && (
          <Names
            label={words.grain}
            any={words.own}
            options={filtering?.grains ?? []}
            value={toText(choices[timeKeys.grain])}
            onChange={(grain) => choose(timeKeys.grain, grain)}
          />
        )}
        {time.column && (
          <Names
            label={words.column}
            any={words.own}
            options={filtering?.timeColumns ?? []}
            value={toText(choices[timeKeys.column])}
            onChange={(column) => choose(timeKeys.column, column)}
          />
        )}
        {spec.items.map((item) => (
          <Values
            key={item.query}
            item={item}
            any={words.any}
            ask={filtering?.runQuery}
            value={listChosenValues(choices[item.column])}
            onChange={(values) => choose(item.column, item.isMultiple ? values : toSingleValue(values))}
          />
        ))}
        {!spec.isInstant && (
          <Button type="submit" variant="primary" disabledReason={pending ? undefined : words.unchanged}>
            {words.apply}
          </Button>
        )}
      </form>
    </div>
  )
}

/** Unwraps a single value; null stays in a list, since null alone means no choice. */
const toSingleValue = (values: readonly ChosenValue[]): Choices[string] =>
  values[0] === null ? values : (values[0] ?? null)

const toText = (chosen: Choices[string] | undefined): string => (typeof chosen === 'string' ? chosen : '')

interface NamesProps {
  label: string
  any: string
  options: readonly (readonly [value: string, label: string])[]
  value: string
  onChange(value: string | null): void
}

function Names({ label, any, options, value, onChange }: NamesProps) {
  return (
    <Field label={label}>
      <Select<string>
        value={value || null}
        selectedLabel={value}
        placeholder={any}
        options={options.map(([each, words]) => ({ value: each, label: words }))}
        clearable
        onChange={onChange}
      />
    </Field>
  )
}

interface ValuesProps {
  item: FilterBoxSpec['items'][number]
  any: string
  ask: FilterHost['runQuery'] | undefined
  value: readonly ChosenValue[]
  onChange(values: ChosenValue[]): void
}

function Values({ item, any, ask, value, onChange }: ValuesProps) {
  const t = useTranslate()
  const all = item.options.map(toOption)
  const byKey = new Map(item.options.map((option) => [toOptionKey(option.value), option.value as ChosenValue]))
  const [found, setFound] = useState<ReadonlyMap<string, ChosenValue>>(new Map())
  const valueOf = (key: string): ChosenValue => {
    const known = byKey.has(key) ? byKey.get(key) : found.get(key)
    return known === undefined ? key : known
  }
  const isWhole = all.length < maxFilterValues
  const load: LoadOptions<string> = async (search, page) => {
    const text = search.trim().toLocaleLowerCase()
    const here = text ? all.filter((option) => option.label.toLocaleLowerCase().includes(text)) : all
    if (page > 0 || !text || isWhole || !item.searchesAll || !ask)
      return { options: page > 0 ? [] : here, count: here.length, isCut: !isWhole }
    const frame = await ask(item.query, [{ col: item.column, op: 'ILIKE', val: toLikePattern(search.trim()) }])
    const options = readFilterOptions(frame, item.column, null)
    setFound(
      (before) =>
        new Map([...before, ...options.map((each) => [toOptionKey(each.value), each.value as ChosenValue] as const)]),
    )
    return { options: options.map(toOption), count: options.length, isCut: options.length >= maxFilterValues }
  }
  const missing = item.isRequired && value.length === 0
  const error = missing ? t('charts.filterBox.required', 'Choose a value') : undefined
  const common = { load, placeholder: any, 'aria-label': item.label }
  return (
    <Field label={item.label} required={item.isRequired} error={error}>
      {item.isMultiple ? (
        <MultiSelect<string>
          {...common}
          value={value.map(toOptionKey)}
          labelOf={(key) => labelOf(valueOf(key))}
          selectAll
          onChange={(keys) => onChange(keys.map(valueOf))}
        />
      ) : (
        <Select<string>
          {...common}
          value={value[0] === undefined ? null : toOptionKey(value[0])}
          selectedLabel={value[0] === undefined ? undefined : labelOf(value[0])}
          clearable={!item.isRequired}
          onChange={(key) => onChange(key === null ? [] : [valueOf(key)])}
        />
      )}
    </Field>
  )
}

const toOption = ({ value, part }: FilterOption): Option<string> => ({
  value: toOptionKey(value),
  label: labelOf(value),
  ...(part !== null && { note: `${Math.round(part * 100)}%` }),
})

const labelOf = (value: Cell): string => formatValue(value)

/** Select keys are strings; values of other types are encoded with a prefix. */
const toOptionKey = (value: Cell): string => (typeof value === 'string' ? value : `\u0000${String(value)}`)
