import { renameFilterFields } from '@parquetry/charts'
import { chartsBelow, chartsInScope, rootId, type MissingReference, type NativeFilter } from '@parquetry/model'
import { Checkbox, Field, Select, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { createElement, Suspense, useState } from 'react'
import { boot } from '../../shared/boot.ts'
import { MissingReferencesBanner } from '../../shared/missing-references/MissingReferencesBanner.tsx'
import { formatMissingReference } from '../../shared/missing-references/format-missing-reference.ts'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { useDashboardState, useDashboard } from '../state/context.ts'
import {
  restoreKind,
  convertKind,
  columnUses,
  validateFilter,
  buildScope,
  withOnlyDataset,
  withTarget,
  wouldCreateCycle,
} from './config.ts'
import { FilterControl } from './FilterControl.tsx'
import type { FilterFault, FilterKind } from './kinds/kind.ts'
import { settingsComponentOf } from './kinds/components.ts'
import { kindOf, listAvailableKinds } from './kinds/registry.ts'
import { withSetting } from './kinds/settings.ts'
import { targetColumnOf, targetDatasetOf, isDivider, isRequired, noFilter } from './mask.ts'
import { PreFilter } from './PreFilter.tsx'
import { ScopeTree } from './ScopeTree.tsx'
import { useLayoutCharts, useDatasetsWithColumns } from './use-targets.ts'
import styles from './FilterConfig.module.css'

interface FilterFormProps {
  filter: NativeFilter
  others: readonly NativeFilter[]
  /** Names that the filter uses but its dataset no longer has. */
  lost: readonly MissingReference[]
  showFaults: boolean
  onChange(filter: NativeFilter): void
}

/** Settings of one filter; name and dataset are filled in from the chosen column. */
export function FilterForm(props: FilterFormProps) {
  const t = useTranslate()
  const { filter, lost, showFaults, onChange } = props
  const nodes = useDashboardState(({ history }) => history.present)
  const kind = kindOf(filter)
  const faults = showFaults ? validateFilter(filter, nodes) : []
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
      <MissingReferencesBanner
        lost={lost}
        onUse={(renames) => onChange(renameFilterFields(filter, targetDatasetOf(filter) ?? 0, renames))}
      />
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
  const t = useTranslate()
  const [before] = useState(() => new Map<string, NativeFilter>())
  const { datasets } = useDashboard()
  const offered = listAvailableKinds(boot.common.feature_flags)
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
          onChange(withOnlyDataset(was ? restoreKind(filter, was, others) : convertKind(filter, type), datasets))
        }}
        options={kinds.map(({ filterType, icon, label }) => ({ value: filterType ?? '', label: label(t), icon }))}
      />
    </Field>
  )
}

interface TargetProps extends FilterFormProps {
  kind: FilterKind
  errorOf(fault: FilterFault): string | undefined
}

function Target({ filter, lost, kind, onChange, errorOf }: TargetProps) {
  const t = useTranslate()
  const { datasets } = useDashboard()
  const charts = useLayoutCharts()
  const nodes = useDashboardState(({ history }) => history.present)
  const dataset = targetDatasetOf(filter)
  const known = useDatasetsWithColumns(dataset === undefined ? [] : [{ id: dataset }])
  const uses = columnUses(dataset === undefined ? datasets : known, charts, kind)
  const nameOf = (id: number) => datasets.find((each) => each.id === id)
  const keyOf = (use: { dataset: number; column: string }) => `${use.dataset}:${use.column}`
  const column = targetColumnOf(filter)
  const missingColumn = lost.find((each) => each.kind === 'column' && each.name === column)
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
          error={errorOf('column') ?? (missingColumn && formatMissingReference(missingColumn))}
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
  const t = useTranslate()
  const { filter, onChange } = props
  const settingsComponent = settingsComponentOf(filter)
  return (
    <Field label={t('dashboard.settings', 'Settings')} group>
      <Checkbox
        checked={isRequired(filter)}
        onChange={(on) => onChange(withSetting(filter, 'enableEmptyFilter', on))}
        label={t('dashboard.required', 'Require a value')}
      />
      {settingsComponent && <Suspense>{createElement(settingsComponent, props)}</Suspense>}
    </Field>
  )
}

/** Limits the offered values by parent filters, a condition and a time range. */
function Values({ filter, others, onChange }: FilterFormProps) {
  const t = useTranslate()
  const parents = filter.cascadeParentIds ?? []
  const possible = others.filter((other) => !isDivider(other) && !wouldCreateCycle(others, filter.id, other.id))
  const loadedDatasets = useDatasetsWithColumns(
    targetDatasetOf(filter) === undefined ? [] : [{ id: targetDatasetOf(filter) ?? 0 }],
  )
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
      <PreFilter filter={filter} columns={loadedDatasets[0]?.columns ?? []} onChange={onChange} />
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

/** Live preview of the control; its value is the default. */
function Default({ filter, kind, onChange }: FilterFormProps & { kind: FilterKind }) {
  const t = useTranslate()
  if (kind.target === 'column' && !targetColumnOf(filter)) return null
  if (kind.target === 'dataset' && targetDatasetOf(filter) === undefined) return null
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
  const t = useTranslate()
  const nodes = useDashboardState(({ history }) => history.present)
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
        onChange={(ids) => onChange({ ...filter, scope: buildScope(nodes, ids, filter.scope) })}
      />
    </Field>
  )
}
