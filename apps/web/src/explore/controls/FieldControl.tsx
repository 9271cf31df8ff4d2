import { formatValidationError } from '@parquetry/charts'
import { controlKinds } from '@parquetry/charts/define'
import { MapTilesContext } from '@parquetry/charts/views/map-tiles'
import { Checkbox, Field, MultiSelect, Select, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { useContext, useEffect } from 'react'
import { TimeRangePicker } from '../../shared/time-range/TimeRangePicker.tsx'
import { AnnotationLayersControl } from './AnnotationLayersControl.tsx'
import { ChartsControl } from './ChartsControl.tsx'
import { ColumnConfigControl, type ColumnConfig } from './ColumnConfigControl.tsx'
import { ContoursControl } from './ContoursControl.tsx'
import { toValueList, presetOptions, resolveFieldSchema, displayedValue, type FieldControlProps } from './field.ts'
import { MapLayersControl } from './MapLayersControl.tsx'
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
import { listConfigurableColumns } from './result-columns.ts'
import {
  ColumnsControl,
  FilterBoxControl,
  FiltersControl,
  FormatRulesControl,
  MetricsControl,
  TimeColumnsControl,
} from './PillControls.tsx'
import { AxisSortControl, OrderByControl } from './SortControls.tsx'
import {
  BoundsControl,
  ColorControl,
  CurrencyControl,
  TimeBoundsControl,
  type CurrencyFormat,
} from './ValueControls.tsx'

/** Renders one control of the panel, as defined by the form's schema and its `control`; nothing for an unknown kind (CTRL-009). */
export function FieldControl(props: FieldControlProps) {
  const kind = props.field.control.as
  return kind === undefined || controlKinds.includes(kind) ? (
    <KnownControl {...props} />
  ) : (
    <UnknownControl kind={kind} />
  )
}

/** Kinds that this version does not have come from forms that are not part of it, such as those of plugins. */
function UnknownControl({ kind }: { kind: string }) {
  // oxlint-disable-next-line no-console -- CTRL-009
  useEffect(() => console.warn(`Unknown controlType: ${kind}`), [kind])
  return null
}

function KnownControl(props: FieldControlProps) {
  const t = useTranslate()
  const { field } = props
  const { label: name, description } = field.control
  const hasTiles = useContext(MapTilesContext).length > 0
  if (field.control.as === 'map-style' && !hasTiles) return null
  const error = field.error === null ? undefined : formatValidationError(field.error, name, t)
  if (resolveFieldSchema(field).type === 'boolean')
    return (
      <Checkbox label={name} help={error ?? description} checked={field.effective === true} onChange={props.onChange} />
    )
  const isGroup = groups.has(field.control.as ?? '')
  return (
    <Field label={name} help={description} group={isGroup} required={field.required} error={error}>
      <Control {...props} name={name} />
    </Field>
  )
}

/** Controls with several fields: their label names the group. */
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
  const t = useTranslate()
  const value = displayedValue(field)
  const { effective } = field
  const list = toValueList(field)
  switch (field.control.as) {
    case 'metric':
    case 'metrics':
      return <MetricsControl {...props} />
    case 'column':
    case 'columns':
    case 'x-axis':
    case 'temporal-column':
      return <ColumnsControl {...props} />
    case 'filters':
      return <FiltersControl {...props} />
    case 'time-grain':
      return (
        <Select<string>
          value={typeof value === 'string' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
          clearable
          placeholder={t('explore.grain.none', 'Exact time')}
          options={dataset.time_grain_sqla.flatMap(([duration, grainLabel]) =>
            duration ? [{ value: duration, label: grainLabel }] : [],
          )}
        />
      )
    case 'time-range':
      return (
        <TimeRangePicker label={name} value={typeof value === 'string' ? value : 'No filter'} onChange={onChange} />
      )
    case 'offsets':
      return (
        <MultiSelect<string> value={list.map(String)} onChange={onChange} freeText options={presetOptions(field)} />
      )
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
      return <CurrencyControl value={(effective ?? null) as CurrencyFormat | null} onChange={onChange} />
    case 'bounds':
      return <BoundsControl value={effective} onChange={onChange} />
    case 'filter-configs':
      return <FilterBoxControl {...props} />
    case 'time-bounds':
      return <TimeBoundsControl value={effective} onChange={onChange} />
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
          value={effective as { r: number; g: number; b: number; a?: number }}
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
          value={(effective ?? {}) as Record<string, ColumnConfig>}
          columns={listConfigurableColumns(field, form, dataset)}
          form={form}
          onChange={onChange}
        />
      )
    case 'metric-bounds':
      return (
        <MetricBoundsControl
          value={(effective ?? {}) as MetricBounds}
          keys={field.control.boundKeys ?? ['min', 'max']}
          form={form}
          dataset={dataset}
          onChange={onChange}
        />
      )
    case 'conditional-formatting':
      return <FormatRulesControl {...props} />
    case 'annotation-layers':
      return <AnnotationLayersControl value={list} errors={layerErrors} onChange={onChange} />
    case 'charts':
      return <ChartsControl value={list as number[]} onChange={onChange} />
    case 'time-columns':
      return <TimeColumnsControl {...props} />
    case 'spatial':
      return (
        <SpatialControl value={(field.value ?? null) as SpatialValue | null} dataset={dataset} onChange={onChange} />
      )
    case 'viewport':
      return <ViewportControl value={(effective ?? null) as ViewportValue | null} onChange={onChange} />
    case 'map-style':
      return <MapStyleControl value={value} onChange={onChange} />
    case 'fix-or-metric':
      return (
        <FixOrMetricControl
          value={(effective ?? null) as { type: string; value?: unknown } | null}
          dataset={dataset}
          onChange={onChange}
        />
      )
    case 'contours':
      return <ContoursControl value={list} onChange={onChange} />
    case 'maps':
      return <MapLayersControl value={list} onChange={onChange} />
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
