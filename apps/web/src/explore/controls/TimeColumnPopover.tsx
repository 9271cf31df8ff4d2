import { numberFormats, timeFormats } from '@parquetry/charts/shared/formats/presets'
import { Button, Checkbox, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { BoundsControl } from './ValueControls.tsx'
import styles from './controls.module.css'

/** One entry of `column_collection` of a time-series table, as spelled by the API. */
export interface TimeColumnEntry {
  key?: string
  label?: string
  tooltip?: string
  colType?: string
  timeLag?: number | string
  timeRatio?: number | string
  comparisonType?: string
  sparkType?: string
  width?: number | string
  height?: number | string
  showYAxis?: boolean
  yAxisBounds?: unknown
  bounds?: unknown
  d3format?: string
  dateFormat?: string
}

interface TimeColumnPopoverProps {
  column: TimeColumnEntry | null
  onSave(column: TimeColumnEntry): void
  onCancel(): void
}

const parseNumber = (value: number | string | undefined): number | null =>
  value === undefined || value === '' || Number.isNaN(Number(value)) ? null : Number(value)

/** Editor of one column of a time-series table. */
export function TimeColumnPopover({ column, onSave, onCancel }: TimeColumnPopoverProps) {
  const t = useTranslate()
  const [edited, setEdited] = useState<TimeColumnEntry>(
    () => column ?? { key: crypto.randomUUID(), colType: 'time', comparisonType: 'value', timeLag: 0 },
  )
  const update = (patch: TimeColumnEntry): void => setEdited({ ...edited, ...patch })
  const kind = edited.colType ?? 'time'
  const isSpark = kind === 'spark'
  const number = (key: 'timeLag' | 'timeRatio' | 'width' | 'height', label: string, help?: string, min?: number) => (
    <Field label={label} help={help}>
      <NumberInput
        integer
        {...(min !== undefined && { min })}
        value={parseNumber(edited[key])}
        onChange={(next) => update({ [key]: next ?? '' })}
      />
    </Field>
  )
  const format = (key: 'd3format' | 'dateFormat', label: string, presets: readonly (readonly [string, string])[]) => (
    <Field label={label}>
      <Select<string>
        value={edited[key] || null}
        selectedLabel={edited[key]}
        placeholder={t('explore.columnConfig.asChart', 'Chart default')}
        options={presets.map(([value, presetLabel]) => ({ value, label: presetLabel }))}
        freeText
        clearable
        onChange={(next) => update({ [key]: next ?? '' })}
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
      <Field label={t('explore.timeColumn.label', 'Label')}>
        <TextInput data-autofocus value={edited.label ?? ''} onChange={(label) => update({ label })} />
      </Field>
      <Field label={t('explore.timeColumn.tooltip', 'Tooltip')}>
        <TextInput value={edited.tooltip ?? ''} onChange={(tooltip) => update({ tooltip })} />
      </Field>
      <Field label={t('explore.timeColumn.type', 'Type')}>
        <Select<string>
          value={kind}
          options={[
            { value: 'time', label: t('explore.timeColumn.time', 'Time comparison') },
            { value: 'contrib', label: t('explore.timeColumn.contrib', 'Contribution') },
            { value: 'spark', label: t('explore.timeColumn.spark', 'Sparkline') },
            { value: 'avg', label: t('explore.timeColumn.avg', 'Period average') },
          ]}
          onChange={(colType) => colType && update({ colType })}
        />
      </Field>
      {kind === 'time' && (
        <Field label={t('explore.timeColumn.comparison', 'Comparison')}>
          <Select<string>
            value={edited.comparisonType ?? 'value'}
            options={[
              { value: 'value', label: t('explore.timeColumn.value', 'Actual value') },
              { value: 'diff', label: t('explore.timeColumn.diff', 'Difference') },
              { value: 'perc', label: t('explore.timeColumn.perc', 'Percentage') },
              { value: 'perc_change', label: t('explore.timeColumn.change', 'Percentage change') },
            ]}
            onChange={(comparisonType) => comparisonType && update({ comparisonType })}
          />
        </Field>
      )}
      {kind === 'time' &&
        number(
          'timeLag',
          t('explore.timeColumn.lag', 'Time lag'),
          t(
            'explore.timeColumn.lagHelp',
            'Number of periods before the last one. A negative number counts from the first.',
          ),
        )}
      {kind === 'avg' &&
        number(
          'timeLag',
          t('explore.timeColumn.periods', 'Periods'),
          t('explore.timeColumn.periodsHelp', 'Number of periods to average, up to the last one.'),
          1,
        )}
      {isSpark && (
        <>
          <Field label={t('explore.timeColumn.line', 'Sparkline type')}>
            <Select<string>
              value={edited.sparkType ?? 'line'}
              options={[
                { value: 'line', label: t('explore.timeColumn.asLine', 'Line') },
                { value: 'area', label: t('explore.timeColumn.asArea', 'Area') },
                { value: 'bar', label: t('explore.timeColumn.asBars', 'Bars') },
              ]}
              onChange={(sparkType) => sparkType && update({ sparkType })}
            />
          </Field>
          <div className={styles.pair}>
            {number('width', t('explore.timeColumn.width', 'Width in pixels'), undefined, 20)}
            {number('height', t('explore.timeColumn.height', 'Height in pixels'), undefined, 10)}
          </div>
          {number(
            'timeRatio',
            t('explore.timeColumn.ratio', 'Period ratio'),
            t('explore.timeColumn.ratioHelp', 'Divides each value by the value this many periods earlier.'),
            0,
          )}
          <Checkbox
            label={t('explore.timeColumn.axis', 'Show minimum and maximum')}
            checked={edited.showYAxis === true}
            onChange={(showYAxis) => update({ showYAxis })}
          />
          <Field label={t('explore.timeColumn.bounds', 'Axis bounds')} group>
            <BoundsControl value={edited.yAxisBounds} onChange={(yAxisBounds) => update({ yAxisBounds })} />
          </Field>
          {format('dateFormat', t('explore.timeColumn.dateFormat', 'Date format'), timeFormats)}
        </>
      )}
      {!isSpark && (
        <Field
          label={t('explore.timeColumn.colors', 'Color bounds')}
          help={t('explore.timeColumn.colorsHelp', 'Colors run from red to blue. Swap the bounds to reverse them.')}
          group
        >
          <BoundsControl value={edited.bounds} onChange={(bounds) => update({ bounds })} />
        </Field>
      )}
      {format('d3format', t('explore.timeColumn.format', 'Number format'), numberFormats)}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button variant="primary" type="submit">
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}
