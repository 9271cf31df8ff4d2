import { useMissingReferenceText } from '../MissingReferences.tsx'
import { MapTilesContext } from '@parquetry/charts/views/map-tiles'
import { landStyle, tileStyle, resolveTiles, type QueryMetric } from '@parquetry/model'
import { Button, Checkbox, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useContext, useState } from 'react'
import type { ExploreDataset } from '../use-explore.ts'
import { columnDisplayName } from './columns.ts'
import { MetricPopover } from './MetricPopover.tsx'
import { metricDisplayName } from './metrics.ts'
import { Pills } from './Pills.tsx'
import styles from './controls.module.css'

/** Columns with the location of a row, as spelled by the API (CTRL-113). */
export interface SpatialValue {
  type: 'latlong' | 'delimited' | 'geohash'
  latCol?: string | null
  lonCol?: string | null
  lonlatCol?: string | null
  delimiter?: string | null
  geohashCol?: string | null
  reverseCheckbox?: boolean
}

/** CTRL-035 to CTRL-037: true if its type has all required settings. */
export const isCompleteSpatial = ({ type, latCol, lonCol, lonlatCol, delimiter, geohashCol }: SpatialValue): boolean =>
  type === 'latlong'
    ? Boolean(latCol && lonCol)
    : type === 'delimited'
      ? Boolean(lonlatCol && delimiter)
      : Boolean(geohashCol)

/** Width of the location and viewport editors in pixels (CTRL-114). */
const mapWidth = 300

interface EditorProps<T> {
  value: T | null
  dataset: ExploreDataset
  onSave(value: T): void
  onCancel(): void
}

function SpatialPopover({ value, dataset, onSave, onCancel }: EditorProps<SpatialValue>) {
  const t = useTranslate()
  const [edited, setEdited] = useState<SpatialValue>(() => value ?? { type: 'latlong' })
  const [isRefused, setIsRefused] = useState(false)
  const update = (patch: Partial<SpatialValue>): void => {
    setEdited({ ...edited, ...patch })
    setIsRefused(false)
  }
  const column = (key: 'latCol' | 'lonCol' | 'lonlatCol' | 'geohashCol', label: string) => (
    <Field label={label}>
      <Select<string>
        value={edited[key] ?? null}
        selectedLabel={edited[key] ?? undefined}
        placeholder={t('explore.empty.axis', 'Choose a column')}
        options={dataset.columns.map(({ column_name }) => ({
          value: column_name,
          label: columnDisplayName(column_name, dataset),
        }))}
        onChange={(next) => update({ [key]: next })}
      />
    </Field>
  )
  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        if (isCompleteSpatial(edited)) onSave(edited)
        else setIsRefused(true)
      }}
    >
      <Field label={t('explore.spatial.type', 'Location format')}>
        <Select<SpatialValue['type']>
          data-autofocus
          value={edited.type}
          options={[
            { value: 'latlong', label: t('explore.spatial.latlong', 'Longitude and latitude columns') },
            { value: 'delimited', label: t('explore.spatial.delimited', 'Both in one column') },
            { value: 'geohash', label: t('explore.spatial.geohash', 'Geohash') },
          ]}
          onChange={(type) =>
            type && update({ type, ...(type === 'delimited' && { delimiter: edited.delimiter ?? ',' }) })
          }
        />
      </Field>
      {edited.type === 'latlong' && (
        <div className={styles.pair}>
          {column('lonCol', t('explore.spatial.longitude', 'Longitude'))}
          {column('latCol', t('explore.spatial.latitude', 'Latitude'))}
        </div>
      )}
      {edited.type === 'delimited' && (
        <>
          {column('lonlatCol', t('explore.spatial.both', 'Column'))}
          <Field label={t('explore.spatial.delimiter', 'Delimiter')}>
            <TextInput value={edited.delimiter ?? ''} onChange={(delimiter) => update({ delimiter })} />
          </Field>
        </>
      )}
      {edited.type === 'geohash' && column('geohashCol', t('explore.spatial.both', 'Column'))}
      {edited.type !== 'geohash' && (
        <Checkbox
          label={t('explore.spatial.reverse', 'Reverse latitude and longitude')}
          checked={edited.reverseCheckbox === true}
          onChange={(reverseCheckbox) => update({ reverseCheckbox })}
        />
      )}
      {isRefused && (
        <p className={styles.refused} role="alert">
          {t('explore.spatial.invalid', 'Invalid lat/long configuration.')}
        </p>
      )}
      <Foot onCancel={onCancel} />
    </form>
  )
}

function Foot({ onCancel }: { onCancel(): void }) {
  const t = useTranslate()
  return (
    <div className={styles.foot}>
      <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
      <Button variant="primary" type="submit">
        {t('explore.popover.save', 'Save')}
      </Button>
    </div>
  )
}

interface ControlProps<T> {
  value: T | null
  dataset: ExploreDataset
  onChange(value: T | undefined): void
}

const listSpatialColumns = ({ type, latCol, lonCol, lonlatCol, geohashCol }: SpatialValue) =>
  type === 'latlong' ? [lonCol, latCol] : [type === 'delimited' ? lonlatCol : geohashCol]

const formatSpatial = (value: SpatialValue, dataset: ExploreDataset): string =>
  listSpatialColumns(value)
    .map((name) => (name ? columnDisplayName(name, dataset) : '?'))
    .join(', ')

/** Selects the columns that contain the location of each row. */
export function SpatialControl({ value, dataset, onChange }: ControlProps<SpatialValue>) {
  const t = useTranslate()
  const names = new Set(dataset.columns.map(({ column_name }) => column_name))
  const missing = t('explore.missing.column', 'This column might be incompatible with current dataset')
  const formatMissing = useMissingReferenceText()
  const findMissingColumn = (value: SpatialValue) => listSpatialColumns(value).find((name) => name && !names.has(name))
  return (
    <Pills<SpatialValue>
      width={mapWidth}
      items={value ? [value] : []}
      single
      labelOf={(each) => formatSpatial(each, dataset)}
      missing={(each) => {
        const missingColumn = findMissingColumn(each)
        return missingColumn ? formatMissing('column', missingColumn, missing) : null
      }}
      onChange={([next]) => onChange(next)}
      addLabel={t('explore.spatial.add', 'Choose location columns')}
      empty={t('explore.spatial.add', 'Choose location columns')}
      editor={(each, done, cancel) => <SpatialPopover value={each} dataset={dataset} onSave={done} onCancel={cancel} />}
    />
  )
}

export interface ViewportValue {
  longitude: number
  latitude: number
  zoom: number
  bearing?: number
  pitch?: number
}

/** CTRL-107. */
const firstView: Required<ViewportValue> = { longitude: 0, latitude: 0, zoom: 1, bearing: 0, pitch: 0 }

function ViewportPopover({ value, onSave, onCancel }: Omit<EditorProps<ViewportValue>, 'dataset'>) {
  const t = useTranslate()
  const [edited, setEdited] = useState<ViewportValue>(() => ({ ...firstView, ...value }))
  const number = (key: keyof ViewportValue, label: string, min: number, max: number) => (
    <Field label={label}>
      <NumberInput
        value={edited[key] ?? 0}
        min={min}
        max={max}
        onChange={(next) => setEdited({ ...edited, [key]: next ?? firstView[key] })}
      />
    </Field>
  )
  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        onSave(edited)
      }}
    >
      <div className={styles.pair}>
        {number('longitude', t('explore.spatial.longitude', 'Longitude'), -180, 180)}
        {number('latitude', t('explore.spatial.latitude', 'Latitude'), -90, 90)}
        {number('zoom', t('explore.viewport.zoom', 'Zoom'), 0, 20)}
        {number('bearing', t('explore.viewport.bearing', 'Bearing'), -360, 360)}
        {number('pitch', t('explore.viewport.pitch', 'Pitch'), 0, 75)}
      </div>
      <p className={styles.note}>
        {t('explore.viewport.note', 'Move the map and choose “Use this view” to copy its current view.')}
      </p>
      <Foot onCancel={onCancel} />
    </form>
  )
}

/** Edits the initial viewport of a map. */
export function ViewportControl({ value, onChange }: Omit<ControlProps<ViewportValue>, 'dataset'>) {
  const t = useTranslate()
  return (
    <Pills<ViewportValue>
      width={mapWidth}
      items={value ? [value] : []}
      single
      labelOf={({ longitude, latitude, zoom }) =>
        t('explore.viewport.words', '{longitude}, {latitude}, zoom {zoom}', {
          longitude: String(Math.round(longitude * 100) / 100),
          latitude: String(Math.round(latitude * 100) / 100),
          zoom: String(Math.round(zoom * 10) / 10),
        })
      }
      onChange={([next]) => onChange(next)}
      addLabel={t('explore.viewport.add', 'Set a viewport')}
      empty={t('explore.viewport.add', 'Set a viewport')}
      editor={(each, done, cancel) => <ViewportPopover value={each} onSave={done} onCancel={cancel} />}
    />
  )
}

interface FixOrMetricValue {
  type: string
  value?: unknown
}

/** CTRL-104. */
const firstNumber = 5

/** A fixed number for all marks, or a metric with one value per mark. */
export function FixOrMetricControl({ value, dataset, onChange }: ControlProps<FixOrMetricValue>) {
  const t = useTranslate()
  const isMetric = value?.type === 'metric'
  const metric = isMetric ? (value?.value as QueryMetric | undefined) : undefined
  const number = Number(value?.value)
  return (
    <div className={styles.popover}>
      <Select<'fix' | 'metric'>
        aria-label={t('explore.fixed.kind', 'Fixed value or metric')}
        value={isMetric ? 'metric' : 'fix'}
        options={[
          { value: 'fix', label: t('explore.fixed.fix', 'Fixed') },
          { value: 'metric', label: t('explore.fixed.metric', 'By metric') },
        ]}
        onChange={(type) =>
          onChange(
            type === 'metric' ? { type, value: dataset.metrics[0]?.metric_name } : { type: 'fix', value: firstNumber },
          )
        }
      />
      {isMetric ? (
        <Pills<QueryMetric>
          items={metric ? [metric] : []}
          single
          labelOf={(each) => metricDisplayName(each, dataset, t)}
          iconOf={() => 'function'}
          onChange={([next]) => onChange(next ? { type: 'metric', value: next } : { type: 'fix', value: firstNumber })}
          addLabel={t('explore.add.metric', 'Add a metric')}
          empty={t('explore.empty.metric', 'Add a metric')}
          editor={(each, done, cancel) => (
            <MetricPopover metric={each} dataset={dataset} onSave={done} onCancel={cancel} />
          )}
        />
      ) : (
        <NumberInput
          aria-label={t('explore.fixed.value', 'Fixed value')}
          value={Number.isFinite(number) ? number : null}
          min={0}
          onChange={(next) => onChange({ type: 'fix', value: next ?? '' })}
        />
      )}
    </div>
  )
}

/** Selects the base map: plain land, or a tile server configured by the administrator. The effective style is preselected. */
export function MapStyleControl({ value, onChange }: { value: unknown; onChange(value: unknown): void }) {
  const t = useTranslate()
  const all = useContext(MapTilesContext)
  const shown = resolveTiles(all, value)
  return (
    <Select<string>
      value={shown ? tileStyle(shown) : landStyle}
      options={[
        ...all.map((tiles) => ({ value: tileStyle(tiles), label: tiles.name })),
        { value: landStyle, label: t('explore.map.land', 'Land and borders') },
      ]}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}
