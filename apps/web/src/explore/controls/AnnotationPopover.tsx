import type { AnnotationLayer } from '@parquetry/model'
import { Button, Checkbox, Field, Link, MultiSelect, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import {
  validateLayer,
  newLayer,
  withLayerDefaults,
  sourcesByType,
  withOverride,
  withSource,
  type LayerField,
  type LayerSource,
  type LayerType,
} from './annotation-layers.ts'
import { can } from '../../shared/rights.ts'
import { loadSources, useHasNoLayers, useLayerSource } from './annotation-sources.ts'
import { HexColorControl } from './ValueControls.tsx'
import styles from './controls.module.css'

export interface AnnotationPopoverProps {
  /** Null for a new one. */
  layer: AnnotationLayer | null
  /** Names of the other layers. */
  others: readonly string[]
  onSave(layer: AnnotationLayer): void
  onCancel(): void
}

type Put = (patch: Partial<AnnotationLayer>) => void

/** Editor of one annotation layer: content, source and style. Changes apply on Save. */
export function AnnotationPopover({ layer, others, onSave, onCancel }: AnnotationPopoverProps) {
  const t = useTranslate()
  const [edited, setEdited] = useState<AnnotationLayer>(() => (layer ? withLayerDefaults(layer) : newLayer))
  const [isTried, setTried] = useState(false)
  const put: Put = (patch) => setEdited((before) => ({ ...before, ...patch }))
  const errors = validateLayer(edited, others)
  const words = (part: LayerField): string | undefined => {
    const error = errors[part]
    // Half-typed values are not errors until the first save attempt.
    if (!isTried || !error) return undefined
    if (error === 'taken') return t('explore.layer.taken', 'Another layer already has this name')
    if (error === 'formula') return t('annotations.formula.bad', 'Not a valid formula of x')
    return t('explore.layer.mandatory', 'Required')
  }
  const { annotationType, sourceType } = edited
  const sources = sourcesByType[annotationType]

  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(errors).length === 0) onSave({ ...edited, name: edited.name.trim() })
      }}
    >
      <Field label={t('explore.layer.name', 'Name')} error={words('name')} required>
        <TextInput value={edited.name} onChange={(name) => put({ name })} data-autofocus />
      </Field>
      <div className={sources.length > 1 ? styles.pair : undefined}>
        <Field label={t('explore.layer.type', 'Annotation layer type')}>
          <Select<LayerType>
            value={annotationType}
            onChange={(type) => type && setEdited(withSource(edited, type))}
            options={[
              { value: 'FORMULA', label: t('explore.layer.formula', 'Formula') },
              { value: 'EVENT', label: t('explore.layer.event', 'Event') },
              { value: 'INTERVAL', label: t('explore.layer.interval', 'Interval') },
              { value: 'TIME_SERIES', label: t('explore.layer.series', 'Time series') },
            ]}
          />
        </Field>
        {sources.length > 1 && (
          <Field label={t('explore.layer.source', 'Annotation source')}>
            <Select<LayerSource>
              value={sourceType as LayerSource}
              onChange={(source) => source && setEdited(withSource(edited, annotationType, source))}
              options={[
                { value: 'NATIVE', label: t('explore.layer.native', 'Annotation layer') },
                { value: 'table', label: t('explore.layer.table', 'Table chart') },
              ]}
            />
          </Field>
        )}
      </div>
      {annotationType === 'FORMULA' ? (
        <Field
          label={t('explore.layer.formula', 'Formula')}
          help={t(
            'explore.layer.formulaHelp',
            'A formula of x. On a time axis, x is milliseconds since 1970. Example: 2x + 5',
          )}
          error={words('value')}
          required
        >
          <TextInput value={String(edited.value ?? '')} onChange={(value) => put({ value })} mono />
        </Field>
      ) : (
        <SourceFields layer={edited} put={put} words={words} onChange={setEdited} />
      )}
      <AppearanceFields layer={edited} put={put} />
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button variant="primary" type="submit">
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}

interface PartProps {
  layer: AnnotationLayer
  put: Put
}

/** Fields for the annotation layer or chart, the columns that it is read from, and the overrides of its time settings. */
function SourceFields({
  layer,
  put,
  words,
  onChange,
}: PartProps & { words(part: LayerField): string | undefined; onChange(layer: AnnotationLayer): void }) {
  const t = useTranslate()
  const source = useLayerSource(layer)
  const { annotationType, overrides } = layer
  const from = layer.sourceType as LayerSource
  const isNative = from === 'NATIVE'
  const hasNone = useHasNoLayers(isNative)
  const value = layer.value === '' || layer.value === null || layer.value === undefined ? null : Number(layer.value)
  const column = (part: LayerField | 'titleColumn', label: string, required: boolean) => (
    <Field label={label} error={part === 'titleColumn' ? undefined : words(part)} required={required}>
      <Select<string>
        value={(layer[part] as string | undefined) || null}
        onChange={(name) => put({ [part]: name ?? '' })}
        options={(source.data?.columns ?? []).map((name) => ({ value: name, label: name }))}
        placeholder={t('explore.none', 'None')}
        clearable={!required}
      />
    </Field>
  )
  const override = (name: string, label: string, help: string) => (
    <Checkbox
      label={label}
      help={help}
      checked={name in (overrides ?? {})}
      onChange={(isOn) => onChange(withOverride(layer, name, isOn ? null : undefined))}
    />
  )
  return (
    <>
      <Field
        label={isNative ? t('explore.layer.native', 'Annotation layer') : t('explore.layer.chart', 'Chart')}
        error={
          source.isError ? t('explore.layer.gone', 'It was deleted, or you don’t have access to it.') : words('value')
        }
        help={isNative && hasNone && t('explore.layer.noneYet', 'No annotation layers yet.')}
        aside={isNative && <LayersLink isFirst={hasNone} />}
        required
      >
        <Select<number>
          key={from}
          value={value}
          selectedLabel={source.data?.name}
          onChange={(id) => put({ value: id ?? '' })}
          load={loadSources(from)}
          placeholder={
            isNative
              ? t('explore.layer.pickNative', 'Choose an annotation layer')
              : t('explore.layer.pickChart', 'Choose a chart')
          }
        />
      </Field>
      {from === 'table' && value !== null && (
        <>
          {column(
            'timeColumn',
            annotationType === 'INTERVAL'
              ? t('explore.layer.start', 'Interval start column')
              : t('explore.layer.time', 'Event time column'),
            true,
          )}
          {annotationType === 'INTERVAL' &&
            column('intervalEndColumn', t('explore.layer.end', 'Interval end column'), true)}
          {column('titleColumn', t('explore.layer.title', 'Title column'), false)}
          <Field label={t('explore.layer.descriptions', 'Description columns')}>
            <MultiSelect<string>
              value={Array.isArray(layer['descriptionColumns']) ? layer['descriptionColumns'].map(String) : []}
              onChange={(descriptionColumns) => put({ descriptionColumns })}
              options={(source.data?.columns ?? []).map((name) => ({ value: name, label: name }))}
            />
          </Field>
        </>
      )}
      {!isNative &&
        override(
          'time_range',
          t('explore.layer.range', 'Override time range'),
          t('explore.layer.rangeHelp', 'Uses the time range of this chart for the annotation data.'),
        )}
      {from === 'line' && (
        <>
          {override(
            'time_grain_sqla',
            t('explore.layer.grain', 'Override time grain'),
            t('explore.layer.grainHelp', 'Uses the time grain of this chart for the annotation data.'),
          )}
          <Field
            label={t('explore.layer.shift', 'Time shift')}
            help={t('explore.layer.shiftHelp', 'Shows values from an earlier time, for example 1 week or 365 days.')}
          >
            <TextInput
              value={String(overrides?.['time_shift'] ?? '')}
              onChange={(shift) => onChange(withOverride(layer, 'time_shift', shift || undefined))}
            />
          </Field>
        </>
      )}
    </>
  )
}

/** Opens the annotation layers in a new tab, which preserves unsaved edits here. */
function LayersLink({ isFirst }: { isFirst: boolean }) {
  const t = useTranslate()
  if (!can('can_read', 'Annotation')) return null
  const makes = isFirst && can('can_write', 'Annotation')
  return (
    <Link href={makes ? '/annotationlayer/list/?new=true' : '/annotationlayer/list/'} target="_blank">
      {makes ? t('explore.layer.makeFirst', 'Create one') : t('explore.layer.all', 'All layers')}
    </Link>
  )
}

function AppearanceFields({ layer, put }: PartProps) {
  const t = useTranslate()
  const { annotationType } = layer
  const isMarked = annotationType === 'EVENT' || annotationType === 'INTERVAL'
  const isSeries = annotationType === 'TIME_SERIES'
  return (
    <>
      <div className={styles.pair}>
        <Field label={t('explore.layer.style', 'Style')}>
          <Select<string>
            value={String(layer['style'] ?? 'solid')}
            onChange={(style) => put({ style })}
            options={[
              { value: 'solid', label: t('explore.layer.solid', 'Solid') },
              { value: 'dashed', label: t('explore.layer.dashed', 'Dashed') },
              { value: 'longDashed', label: t('explore.layer.longDashed', 'Long dashed') },
              { value: 'dotted', label: t('explore.layer.dotted', 'Dotted') },
            ]}
          />
        </Field>
        <Field label={t('explore.layer.opacity', 'Opacity')}>
          <Select<string>
            value={String(layer['opacity'] ?? '')}
            onChange={(opacity) => put({ opacity })}
            options={[
              { value: '', label: t('explore.layer.full', 'Default') },
              { value: 'opacityLow', label: t('explore.layer.low', 'Low') },
              { value: 'opacityMedium', label: t('explore.layer.medium', 'Medium') },
              { value: 'opacityHigh', label: t('explore.layer.high', 'High') },
            ]}
          />
        </Field>
        <Field label={t('explore.layer.width', 'Line width')}>
          <NumberInput
            value={Number(layer['width'] ?? 1)}
            onChange={(width) => put({ width: width ?? 1 })}
            min={0}
            max={20}
          />
        </Field>
        <Field label={t('explore.layer.color', 'Color')} group>
          <HexColorControl
            label={t('explore.layer.color', 'Color')}
            value={typeof layer['color'] === 'string' && layer['color'] !== '' ? layer['color'] : null}
            onChange={(color) => put({ color })}
          />
        </Field>
      </div>
      {isMarked && (
        <Checkbox
          label={t('explore.layer.showLabel', 'Show label')}
          checked={layer['showLabel'] === true}
          onChange={(showLabel) => put({ showLabel })}
        />
      )}
      {isSeries && (
        <>
          <Checkbox
            label={t('explore.layer.markers', 'Show markers')}
            checked={layer['showMarkers'] === true}
            onChange={(showMarkers) => put({ showMarkers })}
          />
          <Checkbox
            label={t('explore.layer.hideLine', 'Hide line')}
            checked={layer['hideLine'] === true}
            onChange={(hideLine) => put({ hideLine })}
          />
        </>
      )}
      <Checkbox
        label={t('explore.layer.inLegend', 'Show in legend')}
        checked={layer['showInLegend'] !== false}
        onChange={(showInLegend) => put({ showInLegend })}
      />
      <Checkbox
        label={t('explore.layer.hide', 'Hide layer')}
        checked={layer.show === false}
        onChange={(isHidden) => put({ show: !isHidden })}
      />
    </>
  )
}
