import type { ChartForm, Field as FormField, FilterBoxItem } from '@parquetry/charts'
import { MapTilesOf } from '@parquetry/charts/views/map-tiles'
import type { QueryColumn, QueryMetric } from '@parquetry/model'
import { Checkbox, Field, MultiSelect, NumberInput, Select, TextArea, TextInput, useText } from '@parquetry/ui'
import { useContext, useState } from 'react'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import type { ExploreDataset } from '../use-explore.ts'
import type { LayerError } from '../../shared/annotations/layer-errors.ts'
import { AnnotationLayersControl } from './AnnotationLayersControl.tsx'
import { ChartsControl } from './ChartsControl.tsx'
import { ColumnConfigControl, type ColumnConfig } from './ColumnConfigControl.tsx'
import { ColumnPopover } from './ColumnPopover.tsx'
import { iconOfColumn } from '../../shared/column-icon.ts'
import { columnOf, columnOfText, isColumnThere, wordsOfColumn } from './columns.ts'
import { ContoursControl } from './ContoursControl.tsx'
import { FilterBoxItemPopover } from './FilterBoxItemPopover.tsx'
import { FilterPopover } from './FilterPopover.tsx'
import { isFilterSubject, isSubjectThere, wordsOfFilter, type AdhocFilter } from './filters.ts'
import { wordsOfRule, type FormatRule } from './format-rules.ts'
import { FormatRulePopover } from './FormatRulePopover.tsx'
import { LaidChartsControl } from './LaidChartsControl.tsx'
import {
  FixOrMetricControl,
  MapStyleControl,
  SpatialControl,
  ViewportControl,
  type SpatialValue,
  type ViewportValue,
} from './MapControls.tsx'
import { MetricBoundsControl, type MetricBounds } from './MetricBoundsControl.tsx'
import { MetricPopover } from './MetricPopover.tsx'
import { isMetricThere, metricOfText, wordsOfMetric } from './metrics.ts'
import { Pills } from './Pills.tsx'
import { LinearSchemeControl, SchemeControl } from './SchemeControl.tsx'
import { SchemeNote } from './SchemeNote.tsx'
import { columnsToConfigure, shownColumns } from './shown-columns.ts'
import { AxisSortControl, OrderByControl } from './SortControls.tsx'
import { TimeColumnPopover, type TimeColumnEntry } from './TimeColumnPopover.tsx'
import { usePatient } from './use-patient.ts'
import {
  BoundsControl,
  ColorControl,
  CurrencyControl,
  TimeBoundsControl,
  type CurrencyFormat,
} from './ValueControls.tsx'

export interface FieldControlProps {
  field: FormField
  /** The whole form, for controls that offer what others hold. */
  form: ChartForm
  dataset: ExploreDataset
  /** Of the annotation layers of the last answer. */
  layerErrors?: readonly LayerError[]
  /** Undefined takes the setting out of the form. */
  onChange(value: unknown): void
}

interface Shape {
  type?: string
  const?: string | number | boolean
  anyOf?: Shape[]
  minimum?: number
  maximum?: number
}

/** One control of the panel, as the form's schema and its `control` say. */
export function FieldControl(props: FieldControlProps) {
  const { field } = props
  const t = useText()
  const { label, description } = field.control
  const name = t(`charts.control.${field.name}`, label)
  const hasTiles = useContext(MapTilesOf).length > 0
  if (field.control.as === 'map-style' && !hasTiles) return null
  const error = field.error === null ? undefined : `${name} ${field.error}`
  if (shapeOf(field).type === 'boolean')
    return (
      <Checkbox label={name} help={error ?? description} checked={field.counted === true} onChange={props.onChange} />
    )
  const isGroup = groups.has(field.control.as ?? '')
  return (
    <Field label={name} help={description} group={isGroup} required={field.required} error={error}>
      <Control {...props} name={name} />
    </Field>
  )
}

/** Controls of several fields: their label names the group. */
const groups = new Set([
  'metrics',
  'columns',
  'filters',
  'metric',
  'column',
  'x-axis',
  'temporal-column',
  'color-scheme',
  'linear-scheme',
  'currency',
  'bounds',
  'time-bounds',
  'filter-configs',
  'color',
  'column-config',
  'metric-bounds',
  'conditional-formatting',
  'annotation-layers',
  'time-columns',
  'spatial',
  'viewport',
  'fix-or-metric',
  'contours',
])

function Control({ field, form, dataset, layerErrors = [], onChange, name }: FieldControlProps & { name: string }) {
  const t = useText()
  const value = shownValue(field)
  const { counted } = field
  const list = Array.isArray(counted) ? counted : counted === undefined || counted === null ? [] : [counted]
  const missing = {
    column: t('explore.missing.column', 'This column might be incompatible with current dataset'),
    metric: t('explore.missing.metric', 'This metric might be incompatible with current dataset'),
    filter: t('explore.missing.filter', 'This filter might be incompatible with current dataset'),
  }
  switch (field.control.as) {
    case 'metric':
    case 'metrics': {
      const single = field.control.as === 'metric'
      return (
        <Pills<QueryMetric>
          items={list as QueryMetric[]}
          single={single}
          wordsOf={(metric) => wordsOfMetric(metric, dataset)}
          iconOf={() => 'function'}
          missing={(metric) => (isMetricThere(metric, dataset) ? null : missing.metric)}
          onChange={(items) => onChange(single ? items[0] : items)}
          takes={['metric', 'column', 'time']}
          itemOf={(text) => metricOfText(text, dataset)}
          addLabel={t('explore.add.metric', 'Add a metric')}
          empty={t('explore.empty.metric', 'Add a metric')}
          editor={(metric, done, cancel) => (
            <MetricPopover metric={metric} dataset={dataset} onSave={done} onCancel={cancel} />
          )}
        />
      )
    }
    case 'column':
    case 'columns':
    case 'x-axis':
    case 'temporal-column': {
      const single = field.control.as !== 'columns'
      const isTemporal = field.control.as === 'temporal-column'
      return (
        <Pills<QueryColumn>
          items={list as QueryColumn[]}
          single={single}
          wordsOf={(column) => wordsOfColumn(column, dataset)}
          iconOf={(column) => iconOfColumn(columnOf(column, dataset))}
          missing={(column) => (isColumnThere(column, dataset) ? null : missing.column)}
          onChange={(items) => onChange(single ? items[0] : items)}
          takes={isTemporal ? ['time'] : ['column', 'time']}
          itemOf={(text) => {
            const named = columnOfText(text, dataset)
            return (isTemporal ? named?.is_dttm : named?.groupby) ? named?.column_name : undefined
          }}
          addLabel={t('explore.add.column', 'Add a column')}
          empty={single ? t('explore.empty.axis', 'Pick a column') : t('explore.empty.columns', 'Add a column')}
          editor={(column, done, cancel) => (
            <ColumnPopover column={column} dataset={dataset} temporal={isTemporal} onSave={done} onCancel={cancel} />
          )}
        />
      )
    }
    case 'filters':
      return (
        <Pills<AdhocFilter>
          items={list as AdhocFilter[]}
          wordsOf={(filter) => wordsOfFilter(filter, dataset.verbose_map)}
          iconOf={(filter) => (filter.isExtra ? 'dashboard' : 'filter')}
          missing={(filter) => (isSubjectThere(filter, dataset) ? null : missing.filter)}
          width={filterWidth}
          resizable
          onChange={onChange}
          takes={['metric', 'column', 'time']}
          itemOf={(text) => (isFilterSubject(text, dataset) ? null : undefined)}
          addLabel={t('explore.add.filter', 'Add a filter')}
          empty={t('explore.empty.filter', 'Add a filter')}
          editor={(filter, done, cancel, dropped) => (
            <FilterPopover filter={filter} about={dropped} dataset={dataset} onSave={done} onCancel={cancel} />
          )}
        />
      )
    case 'time-grain':
      return (
        <Select<string>
          value={typeof value === 'string' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
          clearable
          placeholder={t('explore.grain.none', 'Exact time')}
          options={dataset.time_grain_sqla.flatMap(([duration, words]) =>
            duration ? [{ value: duration, label: words }] : [],
          )}
        />
      )
    case 'time-range':
      return (
        <TimeRangePicker label={name} value={typeof value === 'string' ? value : 'No filter'} onChange={onChange} />
      )
    case 'offsets':
      return <MultiSelect<string> value={list.map(String)} onChange={onChange} freeText options={presetsOf(field)} />
    case 'color-scheme':
      return (
        <>
          <SchemeControl label={name} value={String(value)} onChange={onChange} />
          <SchemeNote form={form} />
        </>
      )
    case 'linear-scheme':
      return <LinearSchemeControl label={name} value={String(value)} onChange={onChange} />
    case 'currency':
      return <CurrencyControl value={(counted ?? null) as CurrencyFormat | null} onChange={onChange} />
    case 'bounds':
      return <BoundsControl value={counted} onChange={onChange} />
    case 'filter-configs':
      return (
        <Pills<FilterBoxItem>
          items={list as FilterBoxItem[]}
          wordsOf={({ label, column }) => label || column}
          iconOf={() => 'filter'}
          missing={({ column }) => (isColumnThere(column, dataset) ? null : missing.column)}
          width={filterWidth}
          onChange={onChange}
          addLabel={t('explore.filterBox.add', 'Add filter')}
          empty={t('explore.filterBox.add', 'Add filter')}
          editor={(item, done, cancel) => (
            <FilterBoxItemPopover item={item} dataset={dataset} onSave={done} onCancel={cancel} />
          )}
        />
      )
    case 'time-bounds':
      return <TimeBoundsControl value={counted} onChange={onChange} />
    case 'date':
      return (
        <TextInput
          type="date"
          value={typeof value === 'string' ? value.slice(0, 10) : ''}
          onChange={(next) => onChange(next || undefined)}
        />
      )
    case 'color':
      return (
        <ColorControl
          label={name}
          value={counted as { r: number; g: number; b: number; a?: number }}
          hasOpacity={field.control.hasOpacity === true}
          onChange={onChange}
        />
      )
    case 'order-by':
      return <OrderByControl value={list} dataset={dataset} onChange={onChange} />
    case 'x-axis-sort':
      return (
        <AxisSortControl
          value={typeof value === 'string' ? value : null}
          form={form}
          dataset={dataset}
          onChange={onChange}
        />
      )
    case 'column-config':
      return (
        <ColumnConfigControl
          value={(counted ?? {}) as Record<string, ColumnConfig>}
          columns={columnsToConfigure(field, form, dataset)}
          form={form}
          onChange={onChange}
        />
      )
    case 'metric-bounds':
      return (
        <MetricBoundsControl
          value={(counted ?? {}) as MetricBounds}
          keys={field.control.boundKeys ?? ['min', 'max']}
          form={form}
          dataset={dataset}
          onChange={onChange}
        />
      )
    case 'conditional-formatting': {
      const ofRows = field.control.ofRows === true
      const columns = shownColumns(form, dataset).filter(({ kind }) => kind === 'number' || (ofRows && kind === 'text'))
      return (
        <Pills<FormatRule>
          items={list as FormatRule[]}
          wordsOf={(rule) => wordsOfRule(rule, columns.find((each) => each.name === rule.column)?.words ?? '')}
          iconOf={() => 'bolt'}
          onChange={onChange}
          addLabel={t('explore.add.rule', 'Add a rule')}
          empty={t('explore.empty.rule', 'Add a rule')}
          editor={(rule, done, cancel) => (
            <FormatRulePopover rule={rule} columns={columns} ofRows={ofRows} onSave={done} onCancel={cancel} />
          )}
        />
      )
    }
    case 'annotation-layers':
      return <AnnotationLayersControl value={list} errors={layerErrors} onChange={onChange} />
    case 'charts':
      return <ChartsControl value={list as number[]} onChange={onChange} />
    case 'time-columns':
      return (
        <Pills<TimeColumnEntry>
          items={list as TimeColumnEntry[]}
          wordsOf={({ label, colType }) => label || (colType ?? '')}
          iconOf={({ colType }) => (colType === 'spark' ? 'line' : 'number')}
          onChange={onChange}
          addLabel={t('explore.add.timeColumn', 'Add a time series column')}
          empty={t('explore.add.timeColumn', 'Add a time series column')}
          editor={(column, done, cancel) => <TimeColumnPopover column={column} onSave={done} onCancel={cancel} />}
        />
      )
    case 'spatial':
      return (
        <SpatialControl value={(field.value ?? null) as SpatialValue | null} dataset={dataset} onChange={onChange} />
      )
    case 'viewport':
      return <ViewportControl value={(counted ?? null) as ViewportValue | null} onChange={onChange} />
    case 'map-style':
      return <MapStyleControl value={value} onChange={onChange} />
    case 'fix-or-metric':
      return (
        <FixOrMetricControl
          value={(counted ?? null) as { type: string; value?: unknown } | null}
          dataset={dataset}
          onChange={onChange}
        />
      )
    case 'contours':
      return <ContoursControl value={list} onChange={onChange} />
    case 'maps':
      return <LaidChartsControl value={list} onChange={onChange} />
    case 'text-area':
      return <TextArea value={typeof value === 'string' ? value : ''} onChange={onChange} rows={4} />
    case 'code':
      return (
        <TextArea
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
          rows={12}
          mono
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      )
    default:
      return <PlainControl field={field} onChange={onChange} />
  }
}

/** CTRL-093, CTRL-095: 320 at least, and 296 inside edge and padding for what the tabs show. */
const filterWidth = 330

/** Enumerations, numbers, texts; what has no control of its own is shown as its JSON, so that nothing is hidden. */
function PlainControl({ field, onChange }: Pick<FieldControlProps, 'field' | 'onChange'>) {
  const t = useText()
  const shape = shapeOf(field)
  const value = shownValue(field)
  const choices = shape.anyOf?.map((each) => each.const)
  const presets = presetsOf(field)
  const words = field.control.options
  if (words || choices?.every((choice) => choice !== undefined)) {
    const values = words ? Object.keys(words) : (choices ?? []).map(String)
    const stored = value === true ? values[0] : value === undefined ? undefined : String(value)
    return (
      <Select<string>
        value={stored !== undefined && values.includes(stored) ? stored : null}
        selectedLabel={stored}
        onChange={(next) =>
          onChange(next === 'null' ? null : (choices?.find((each) => String(each) === next) ?? next ?? undefined))
        }
        options={values.map((each) => ({ value: each, label: words?.[each] ?? each }))}
        clearable={!field.required && field.default === undefined}
        placeholder={t('explore.none', 'None')}
      />
    )
  }
  if (shape.type === 'integer' || shape.type === 'number') {
    if (presets.length > 0)
      return (
        <Select<string>
          value={value === undefined || value === null ? null : String(value)}
          onChange={(next) => onChange(next === null || next.trim() === '' ? undefined : Number(next))}
          options={presets}
          placeholder={t('explore.none', 'None')}
          freeText
          clearable={field.default === undefined}
        />
      )
    return <NumberControl value={value} shape={shape} onChange={onChange} />
  }
  if (shape.type === 'string') {
    const text = typeof value === 'string' ? value : ''
    if (presets.length > 0)
      return (
        <Select<string>
          value={text || null}
          onChange={(next) => onChange(next ?? undefined)}
          options={presets}
          placeholder={t('explore.none', 'None')}
          freeText
          clearable={field.default === undefined}
          selectedLabel={presets.find((preset) => preset.value === text)?.label ?? text}
        />
      )
    return <TextInput value={text} onChange={(next) => onChange(next === '' ? undefined : next)} />
  }
  if (presets.length > 0)
    return (
      <Select<string>
        value={String(value ?? null)}
        onChange={(next) => onChange(next === null ? undefined : readValue(next))}
        options={presets}
        freeText
      />
    )
  return <JsonControl value={value} onChange={onChange} />
}

function NumberControl({ value, shape, onChange }: { value: unknown; shape: Shape; onChange(value: unknown): void }) {
  const typed = usePatient(typeof value === 'number' ? value : null, (next) => onChange(next ?? undefined))
  return (
    <div {...typed.around}>
      <NumberInput
        value={typed.value}
        onChange={typed.onChange}
        integer={shape.type === 'integer'}
        // From 0 to 1 an arrow key would go from one end to the other.
        step={shape.type === 'number' && shape.maximum !== undefined && shape.maximum <= 1 ? 0.1 : 1}
        {...(shape.minimum !== undefined && { min: shape.minimum })}
        {...(shape.maximum !== undefined && { max: shape.maximum })}
      />
    </div>
  )
}

/** A truth value, a number or null as it is written; a text for everything else. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function JsonControl({ value, onChange }: { value: unknown; onChange(value: unknown): void }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)))
  const change = (next: string): void => {
    setText(next)
    if (next.trim() === '') return onChange(undefined)
    try {
      onChange(JSON.parse(next))
    } catch {
      // Half-typed JSON stays in the field until it is whole.
    }
  }
  return <TextInput value={text} onChange={change} mono placeholder="JSON" />
}

/** A text or number that does not fit is shown, to be mended; controls of several parts show what counts in its place. */
const shownValue = ({ value, counted, error }: FormField): unknown =>
  error !== null && (typeof value === 'string' || typeof value === 'number') ? value : counted

const presetsOf = ({ control }: FormField) =>
  (control.presets ?? []).map(([value, label]) => ({ value: String(value), label }))

/** The schema without its null branch. */
function shapeOf({ schema }: FormField): Shape {
  const shape = schema as Shape
  const branches = shape.anyOf?.filter(({ type }) => type !== 'null')
  if (!branches) return shape
  const [only] = branches
  return branches.length === 1 && only ? only : { ...shape, anyOf: branches }
}
