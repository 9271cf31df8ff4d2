import { misfitInWords } from '@parquetry/charts'
import { MapTilesOf } from '@parquetry/charts/views/map-tiles'
import { Checkbox, Field, MultiSelect, Select, TextArea, TextInput, useText } from '@parquetry/ui'
import { useContext } from 'react'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { AnnotationLayersControl } from './AnnotationLayersControl.tsx'
import { ChartsControl } from './ChartsControl.tsx'
import { ColumnConfigControl, type ColumnConfig } from './ColumnConfigControl.tsx'
import { ContoursControl } from './ContoursControl.tsx'
import { listOf, presetsOf, shapeOf, shownValue, type FieldControlProps } from './field.ts'
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
import { PlainControl } from './PlainControl.tsx'
import { LinearSchemeControl, SchemeControl } from './SchemeControl.tsx'
import { SchemeNote } from './SchemeNote.tsx'
import { columnsToConfigure } from './shown-columns.ts'
import {
  ColumnSlots,
  FilterBoxSlots,
  FilterSlots,
  FormatRuleSlots,
  MetricSlots,
  TimeColumnSlots,
} from './SlotControls.tsx'
import { AxisSortControl, OrderByControl } from './SortControls.tsx'
import {
  BoundsControl,
  ColorControl,
  CurrencyControl,
  TimeBoundsControl,
  type CurrencyFormat,
} from './ValueControls.tsx'

/** One control of the panel, as the form's schema and its `control` say. */
export function FieldControl(props: FieldControlProps) {
  const t = useText()
  const { field } = props
  const { label: name, description } = field.control
  const hasTiles = useContext(MapTilesOf).length > 0
  if (field.control.as === 'map-style' && !hasTiles) return null
  const error = field.error === null ? undefined : misfitInWords(field.error, name, t)
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

function Control({ name, ...props }: FieldControlProps & { name: string }) {
  const { field, form, dataset, layerErrors = [], onChange } = props
  const t = useText()
  const value = shownValue(field)
  const { counted } = field
  const list = listOf(field)
  switch (field.control.as) {
    case 'metric':
    case 'metrics':
      return <MetricSlots {...props} />
    case 'column':
    case 'columns':
    case 'x-axis':
    case 'temporal-column':
      return <ColumnSlots {...props} />
    case 'filters':
      return <FilterSlots {...props} />
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
      return <FilterBoxSlots {...props} />
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
    case 'conditional-formatting':
      return <FormatRuleSlots {...props} />
    case 'annotation-layers':
      return <AnnotationLayersControl value={list} errors={layerErrors} onChange={onChange} />
    case 'charts':
      return <ChartsControl value={list as number[]} onChange={onChange} />
    case 'time-columns':
      return <TimeColumnSlots {...props} />
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
