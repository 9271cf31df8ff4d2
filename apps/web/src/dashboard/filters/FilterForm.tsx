import { renamedFilter } from '@parquetry/charts'
import { chartsBelow, chartsInScope, rootId, type LostName, type NativeFilter } from '@parquetry/model'
import { Checkbox, Field, Select, TextArea, TextInput, useText } from '@parquetry/ui'
import { createElement, Suspense, useState } from 'react'
import { boot } from '../../shared/boot.ts'
import { LostStrip } from '../../shared/lost-names/LostStrip.tsx'
import { lostWords } from '../../shared/lost-names/lost-words.ts'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { useBoard, useDashboard } from '../state/context.ts'
import { asBefore, asKind, columnUses, faultsOf, scopeOf, withOnlyDataset, withTarget, wouldCircle } from './config.ts'
import { FilterControl } from './FilterControl.tsx'
import type { FilterFault, FilterKind } from './kinds/kind.ts'
import { settingsOf } from './kinds/parts.ts'
import { kindOf, kindsOffered } from './kinds/registry.ts'
import { withSetting } from './kinds/settings.ts'
import { columnOf, datasetOf, isDivider, isRequired, noFilter } from './mask.ts'
import { PreFilter } from './PreFilter.tsx'
import { ScopeTree } from './ScopeTree.tsx'
import { useCharts, useWithColumns } from './use-targets.ts'
import styles from './FilterConfig.module.css'

interface FilterFormProps {
  filter: NativeFilter
  others: readonly NativeFilter[]
  /** Names that it uses and that its dataset has no more. */
  lost: readonly LostName[]
  showFaults: boolean
  onChange(filter: NativeFilter): void
}

/** One filter's settings; name and dataset fill themselves from the chosen column. */
export function FilterForm(props: FilterFormProps) {
  const t = useText()
  const { filter, lost, showFaults, onChange } = props
  const nodes = useBoard(({ history }) => history.present)
  const kind = kindOf(filter)
  const faults = showFaults ? faultsOf(filter, nodes) : []
  const faultText: Record<FilterFault, string> = {
    name: t('dashboard.nameNeeded', 'Enter a name'),
    dataset: t('dashboard.datasetNeeded', 'Choose a dataset'),
    column: t('dashboard.columnNeeded', 'Choose a column'),
    scope: t('dashboard.scopeNeeded', 'Choose at least one chart'),
  }
  const errorOf = (fault: FilterFault) => (faults.includes(fault) ? faultText[fault] : undefined)
  if (!kind) {
    return (
      <p>
        {t('dashboard.kindKept', 'The filter type {kind} isn’t supported here. The filter stays unchanged.', {
          kind: filter.filterType ?? '',
        })}
      </p>
    )
  }
  const name = (
    <Field
      label={isDivider(filter) ? t('dashboard.title', 'Title') : t('dashboard.name', 'Name')}
      error={errorOf('name')}
    >
      <TextInput
        value={(isDivider(filter) ? filter.title : filter.name) ?? ''}
        onChange={(text) => onChange(isDivider(filter) ? { ...filter, title: text } : { ...filter, name: text })}
        data-autofocus
      />
    </Field>
  )
  const description = (
    <Field label={t('dashboard.description', 'Description')}>
      <TextArea
        value={filter.description ?? ''}
        onChange={(text) => onChange({ ...filter, description: text })}
        rows={2}
      />
    </Field>
  )
  if (isDivider(filter)) {
    return (
      <>
        {name}
        {description}
      </>
    )
  }
  return (
    <>
      <LostStrip lost={lost} onUse={(renames) => onChange(renamedFilter(filter, datasetOf(filter) ?? 0, renames))} />
      <KindField {...props} />
      {kind.target !== 'none' && <Target {...props} kind={kind} errorOf={errorOf} />}
      {name}
      {description}
      <Settings {...props} />
      {kind.hasValues && <Values {...props} />}
      <Default {...props} kind={kind} />
      <Scope {...props} error={errorOf('scope')} />
    </>
  )
}

function KindField({ filter, others, onChange }: FilterFormProps) {
  const t = useText()
  const [before] = useState(() => new Map<string, NativeFilter>())
  const { datasets } = useDashboard()
  const offered = kindsOffered(boot.common.feature_flags)
  const own = kindOf(filter)
  const kinds = own && !offered.includes(own) ? [...offered, own] : offered
  return (
    <Field label={t('dashboard.filterKind', 'Filter type')}>
      <Select<string>
        value={filter.filterType ?? null}
        onChange={(type) => {
          if (type === null || type === filter.filterType) return
          before.set(filter.filterType ?? '', filter)
          const was = before.get(type)
          onChange(withOnlyDataset(was ? asBefore(filter, was, others) : asKind(filter, type), datasets))
        }}
        options={kinds.map(({ filterType, icon, word }) => ({ value: filterType ?? '', label: word(t), icon }))}
      />
    </Field>
  )
}

interface TargetProps extends FilterFormProps {
  kind: FilterKind
  errorOf(fault: FilterFault): string | undefined
}

function Target({ filter, lost, kind, onChange, errorOf }: TargetProps) {
  const t = useText()
  const { datasets } = useDashboard()
  const charts = useCharts()
  const nodes = useBoard(({ history }) => history.present)
  const dataset = datasetOf(filter)
  const known = useWithColumns(dataset === undefined ? [] : [{ id: dataset }])
  const uses = columnUses(dataset === undefined ? datasets : known, charts, kind)
  const nameOf = (id: number) => datasets.find((each) => each.id === id)
  const keyOf = (use: { dataset: number; column: string }) => `${use.dataset}:${use.column}`
  const column = columnOf(filter)
  const lostColumn = lost.find((each) => each.kind === 'column' && each.name === column)
  const pick = (key: string | null) => {
    const use = uses.find((each) => keyOf(each) === key)
    if (use) onChange(withTarget(filter, use, charts, nodes, datasets))
  }
  return (
    <div className={styles.two}>
      <Field label={t('dashboard.dataset', 'Dataset')} error={errorOf('dataset')}>
        <Select
          value={dataset === undefined ? null : String(dataset)}
          onChange={(id) => id && onChange({ ...filter, targets: [{ datasetId: Number(id) }] })}
          options={datasets.map(({ id, table_name, datasource_name }) => ({
            value: String(id),
            label: table_name ?? datasource_name ?? String(id),
          }))}
        />
      </Field>
      {kind.target === 'column' && (
        <Field
          label={t('dashboard.filterColumn', 'Column')}
          error={errorOf('column') ?? (lostColumn && lostWords(lostColumn))}
        >
          <Select
            value={dataset !== undefined && column ? keyOf({ dataset, column }) : null}
            selectedLabel={column}
            onChange={pick}
            options={uses.map((use) => ({
              value: keyOf(use),
              label: use.label,
              note:
                dataset === undefined
                  ? (nameOf(use.dataset)?.table_name ?? '')
                  : use.charts.length > 0
                    ? t('dashboard.usedBy', '{count, plural, one {# chart} other {# charts}}', {
                        count: use.charts.length,
                      })
                    : '',
            }))}
          />
        </Field>
      )}
    </div>
  )
}

function Settings(props: FilterFormProps) {
  const t = useText()
  const { filter, onChange } = props
  const ofKind = settingsOf(filter)
  return (
    <Field label={t('dashboard.settings', 'Settings')} group>
      <Checkbox
        checked={isRequired(filter)}
        onChange={(on) => onChange(withSetting(filter, 'enableEmptyFilter', on))}
        label={t('dashboard.required', 'Require a value')}
      />
      {ofKind && <Suspense>{createElement(ofKind, props)}</Suspense>}
    </Field>
  )
}

/** Which values are offered: those that other filters leave, and that a condition and a time of its own leave. */
function Values({ filter, others, onChange }: FilterFormProps) {
  const t = useText()
  const parents = filter.cascadeParentIds ?? []
  const possible = others.filter((other) => !isDivider(other) && !wouldCircle(others, filter.id, other.id))
  const ofDataset = useWithColumns(datasetOf(filter) === undefined ? [] : [{ id: datasetOf(filter) ?? 0 }])
  const range = typeof filter.time_range === 'string' && filter.time_range ? filter.time_range : noFilter
  const label = t('dashboard.preTime', 'Limit values to time range')
  return (
    <>
      {possible.length > 0 && (
        <Field label={t('dashboard.dependsOn', 'Depends on')} group>
          {possible.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={parents.includes(id)}
              onChange={(on) =>
                onChange({
                  ...filter,
                  cascadeParentIds: on ? [...parents, id] : parents.filter((each) => each !== id),
                })
              }
              label={name || t('dashboard.unnamed', 'Unnamed')}
            />
          ))}
        </Field>
      )}
      <PreFilter filter={filter} columns={ofDataset[0]?.columns ?? []} onChange={onChange} />
      <Field label={label} group>
        <TimeRangePicker
          label={label}
          value={range}
          onChange={(next) => {
            const { time_range: _, ...rest } = filter
            onChange(next === noFilter ? rest : { ...rest, time_range: next })
          }}
        />
      </Field>
    </>
  )
}

/** The control itself, live: what it shows is the default. */
function Default({ filter, kind, onChange }: FilterFormProps & { kind: FilterKind }) {
  const t = useText()
  if (kind.target === 'column' && !columnOf(filter)) return null
  if (kind.target === 'dataset' && datasetOf(filter) === undefined) return null
  const entry = { id: filter.id, ...filter.defaultDataMask }
  return (
    <div className={styles.preview}>
      <FilterControl
        filter={{
          ...filter,
          name: t('dashboard.defaultValue', 'Default value'),
          description: '',
          controlValues: { ...filter.controlValues, enableEmptyFilter: false },
        }}
        entry={entry}
        isChanged={false}
        onChange={({ extraFormData = {}, filterState = {} }) =>
          onChange({ ...filter, defaultDataMask: { extraFormData, filterState } })
        }
      />
    </div>
  )
}

function Scope({ filter, onChange, error }: FilterFormProps & { error: string | undefined }) {
  const t = useText()
  const nodes = useBoard(({ history }) => history.present)
  const all = chartsBelow(nodes, rootId)
  const reached = chartsInScope(nodes, filter.scope)
  return (
    <Field
      group
      label={t('dashboard.scope', 'Scope')}
      error={error}
      aside={
        <span className={styles.note}>
          {t('dashboard.scopeCount', '{count, number} of {all, number}', { count: reached.length, all: all.length })}
        </span>
      }
    >
      <ScopeTree
        reached={reached}
        onChange={(ids) => onChange({ ...filter, scope: scopeOf(nodes, ids, filter.scope) })}
      />
    </Field>
  )
}
