import { chartsBelow, chartsInScope, rootId, type NativeFilter } from '@parquetry/model'
import { Checkbox, Field, Select, TextArea, TextInput, useText } from '@parquetry/ui'
import { useBoard, useDashboard } from '../state/context.ts'
import { columnUses, faultsOf, isEditable, scopeOf, withTarget, type FilterFault } from './config.ts'
import { FilterControl } from './FilterControl.tsx'
import { columnOf, datasetOf, isDivider, isMultiple, isRequired } from './mask.ts'
import { useCharts, useWithColumns } from './use-targets.ts'
import styles from './FilterConfig.module.css'

interface FilterFormProps {
  filter: NativeFilter
  others: readonly NativeFilter[]
  showFaults: boolean
  onChange(filter: NativeFilter): void
}

/** One filter's settings; name and dataset fill themselves from the chosen column. */
export function FilterForm(props: FilterFormProps) {
  const t = useText()
  const { filter, showFaults, onChange } = props
  const nodes = useBoard(({ history }) => history.present)
  const faults = showFaults ? faultsOf(filter, nodes) : []
  const faultText: Record<FilterFault, string> = {
    name: t('dashboard.nameNeeded', 'A name is needed'),
    dataset: t('dashboard.datasetNeeded', 'Choose a dataset'),
    column: t('dashboard.columnNeeded', 'Choose a column'),
    scope: t('dashboard.scopeNeeded', 'Choose at least one chart'),
  }
  const errorOf = (fault: FilterFault) => (faults.includes(fault) ? faultText[fault] : undefined)
  if (!isEditable(filter)) {
    return (
      <p>
        {t(
          'dashboard.kindKept',
          'This kind of filter ({kind}) works on the dashboard, and cannot be changed here yet.',
          { kind: filter.filterType ?? '' },
        )}
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
      {filter.filterType === 'filter_select' && <Target {...props} errorOf={errorOf} />}
      {name}
      {description}
      <Settings {...props} />
      <Default {...props} />
      <Scope {...props} error={errorOf('scope')} />
    </>
  )
}

function Target({ filter, onChange, errorOf }: FilterFormProps & { errorOf(fault: FilterFault): string | undefined }) {
  const t = useText()
  const { datasets } = useDashboard()
  const charts = useCharts()
  const nodes = useBoard(({ history }) => history.present)
  const dataset = datasetOf(filter) ?? (datasets.length === 1 ? datasets[0]?.id : undefined)
  const known = useWithColumns(dataset === undefined ? [] : [{ id: dataset }])
  const uses = columnUses(dataset === undefined ? datasets : known, charts)
  const nameOf = (id: number) => datasets.find((each) => each.id === id)
  const keyOf = (use: { dataset: number; column: string }) => `${use.dataset}:${use.column}`
  const column = columnOf(filter)
  const pick = (key: string | null) => {
    const use = uses.find((each) => keyOf(each) === key)
    if (use) onChange(withTarget(filter, use, charts, nodes))
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
      <Field label={t('dashboard.filterColumn', 'Column')} error={errorOf('column')}>
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
    </div>
  )
}

function Settings({ filter, onChange }: FilterFormProps) {
  const t = useText()
  const set = (name: string) => (on: boolean) =>
    onChange({ ...filter, controlValues: { ...filter.controlValues, [name]: on } })
  return (
    <Field label={t('dashboard.settings', 'Settings')} group>
      {filter.filterType === 'filter_select' && (
        <>
          <Checkbox
            checked={isMultiple(filter)}
            onChange={set('multiSelect')}
            label={t('dashboard.multiple', 'Several values')}
          />
          <Checkbox
            checked={filter.controlValues?.inverseSelection === true}
            onChange={set('inverseSelection')}
            label={t('dashboard.inverse', 'Leave out the chosen values')}
          />
        </>
      )}
      <Checkbox
        checked={isRequired(filter)}
        onChange={set('enableEmptyFilter')}
        label={t('dashboard.required', 'A value is required')}
      />
    </Field>
  )
}

/** The control itself, live: what it shows is the default. */
function Default({ filter, onChange }: FilterFormProps) {
  const t = useText()
  if (filter.filterType === 'filter_select' && !columnOf(filter)) return null
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
  const charts = useCharts()
  const all = chartsBelow(nodes, rootId)
  const reached = chartsInScope(nodes, filter.scope)
  const set = (ids: readonly number[]) => onChange({ ...filter, scope: scopeOf(nodes, ids, filter.scope) })
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
      <Checkbox
        checked={reached.length === all.length}
        mixed={reached.length > 0 && reached.length < all.length}
        onChange={(on) => set(on ? all : [])}
        label={t('dashboard.allCharts', 'All charts')}
      />
      <div className={styles.charts}>
        {all.map((id) => (
          <Checkbox
            key={id}
            checked={reached.includes(id)}
            onChange={(on) => set(on ? [...reached, id] : reached.filter((each) => each !== id))}
            label={charts.get(id)?.slice_name ?? String(id)}
          />
        ))}
      </div>
    </Field>
  )
}
