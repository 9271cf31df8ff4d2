import { numberFormats, timeFormats, type ChartForm } from '@parquetry/charts'
import {
  Button,
  Checkbox,
  Field,
  Icon,
  NumberInput,
  Popover,
  Select,
  Slider,
  TextInput,
  useTranslate,
} from '@parquetry/ui'
import { useState } from 'react'
import { CurrencyControl, type CurrencyFormat } from './ValueControls.tsx'
import type { ResultColumn } from './result-columns.ts'
import styles from './controls.module.css'

/** One entry of `column_config`, as spelled by the API; keys of other tools are preserved. */
export interface ColumnConfig extends Record<string, unknown> {
  d3NumberFormat?: string
  d3SmallNumberFormat?: string
  d3TimeFormat?: string
  fractionDigits?: number
  currencyFormat?: CurrencyFormat | null
  colorPositiveNegative?: boolean
  alignPositiveNegative?: boolean
  horizontalAlign?: 'left' | 'center' | 'right'
  showCellBars?: boolean
  columnWidth?: number
  visible?: boolean
  displayTypeIcon?: boolean
  customColumnName?: string
}

export interface ColumnConfigControlProps {
  value: Record<string, ColumnConfig>
  columns: readonly ResultColumn[]
  form: ChartForm
  onChange(value: Record<string, ColumnConfig>): void
}

/** EXP-042: longer lists show only the first columns. */
const maxColumns = 12
const first = 10

/** Edits the display settings of each column of a table. */
export function ColumnConfigControl({ value, columns, form, onChange }: ColumnConfigControlProps) {
  const t = useTranslate()
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const isLong = columns.length > maxColumns
  const shown = isLong && !all ? columns.slice(0, first) : columns
  const setColumn = (name: string, patch: ColumnConfig): void => {
    const next = Object.entries({ ...value[name], ...patch }).filter(([, each]) => each !== undefined)
    const { [name]: _, ...others } = value
    onChange(next.length > 0 ? { ...others, [name]: Object.fromEntries(next) } : others)
  }
  if (columns.length === 0)
    return (
      <p className={styles.note}>
        {t('explore.columnConfig.none', 'No columns yet. Add columns or metrics to the chart first.')}
      </p>
    )
  return (
    <div className={styles.pills}>
      {shown.map((column) => (
        <div key={column.name} className={styles.pill}>
          <Popover
            open={open === column.name}
            onClose={() => setOpen(null)}
            label={column.label}
            width={320}
            anchor={
              <button
                type="button"
                className={styles.words}
                onClick={() => setOpen(open === column.name ? null : column.name)}
              >
                <Icon name={column.kind === 'number' ? 'number' : column.kind === 'time' ? 'clock' : 'text'} />
                <span>{column.label}</span>
                {value[column.name] && <Icon name="edit" />}
              </button>
            }
          >
            <ColumnFields
              column={column}
              config={value[column.name] ?? {}}
              form={form}
              onChange={(patch) => setColumn(column.name, patch)}
            />
          </Popover>
        </div>
      ))}
      {isLong && (
        <Button variant="quiet" onClick={() => setAll(!all)}>
          {all
            ? t('explore.columnConfig.less', 'Show less columns')
            : t('explore.columnConfig.all', 'Show all columns')}
        </Button>
      )}
    </div>
  )
}

interface ColumnFieldsProps {
  column: ResultColumn
  config: ColumnConfig
  form: ChartForm
  /** Undefined removes a setting. */
  onChange(patch: Record<string, unknown>): void
}

function ColumnFields({ column, config, form, onChange }: ColumnFieldsProps) {
  const t = useTranslate()
  const format = (
    key: 'd3NumberFormat' | 'd3SmallNumberFormat' | 'd3TimeFormat',
    presets: readonly (readonly [string, string])[],
  ) => (
    <Select<string>
      value={config[key] ?? null}
      selectedLabel={config[key]}
      placeholder={t('explore.columnConfig.asChart', 'Chart default')}
      options={presets.map(([value, label]) => ({ value, label }))}
      freeText
      clearable
      onChange={(next) => onChange({ [key]: next ?? undefined })}
    />
  )
  /** Values equal to the table's own setting are not stored for the column. */
  const flag = (
    key: 'showCellBars' | 'alignPositiveNegative' | 'colorPositiveNegative',
    label: string,
    own: boolean,
  ) => (
    <Checkbox
      label={label}
      checked={config[key] ?? own}
      onChange={(on) => onChange({ [key]: on === own ? undefined : on })}
    />
  )
  return (
    <div className={styles.popover}>
      <Field label={t('explore.columnConfig.name', 'Display name')}>
        <TextInput
          value={config.customColumnName ?? ''}
          placeholder={column.label}
          onChange={(next) => onChange({ customColumnName: next || undefined })}
        />
      </Field>
      {column.kind === 'number' && (
        <>
          <Field label={t('explore.columnConfig.number', 'Number format')}>
            {format('d3NumberFormat', numberFormats)}
          </Field>
          <Field label={t('explore.columnConfig.small', 'Small number format (between -1 and 1)')}>
            {format('d3SmallNumberFormat', numberFormats)}
          </Field>
          <Field
            label={t('explore.columnConfig.fractionDigits', 'Fraction digits')}
            help={t('explore.columnConfig.fractionDigitsHelp', 'Used if no number format is set.')}
          >
            <Slider
              min={0}
              max={100}
              value={config.fractionDigits ?? null}
              onChange={(next) => onChange({ fractionDigits: next ?? undefined })}
            />
          </Field>
          <Field label={t('explore.columnConfig.currency', 'Currency')} group>
            <CurrencyControl
              value={config.currencyFormat ?? null}
              onChange={(next) => onChange({ currencyFormat: next })}
            />
          </Field>
        </>
      )}
      {column.kind === 'time' && (
        <Field label={t('explore.columnConfig.time', 'Time format')}>{format('d3TimeFormat', timeFormats)}</Field>
      )}
      {column.kind === 'figure' ? (
        <Checkbox
          label={t('explore.columnConfig.sign', 'Show symbol')}
          checked={config.displayTypeIcon ?? true}
          onChange={(on) => onChange({ displayTypeIcon: on ? undefined : false })}
        />
      ) : (
        <TableColumnFields config={config} onChange={onChange} />
      )}
      {column.kind === 'number' && (
        <>
          {flag('showCellBars', t('explore.columnConfig.bars', 'Cell bars'), form['show_cell_bars'] !== false)}
          {flag('alignPositiveNegative', t('explore.columnConfig.alignPn', 'Align +/-'), form['align_pn'] === true)}
          {flag('colorPositiveNegative', t('explore.columnConfig.colorPn', 'Color +/-'), form['color_pn'] !== false)}
        </>
      )}
      <Checkbox
        label={
          column.kind === 'figure'
            ? t('explore.columnConfig.shown', 'Show value')
            : t('explore.columnConfig.visible', 'Show column')
        }
        checked={config.visible ?? true}
        onChange={(on) => onChange({ visible: on ? undefined : false })}
      />
    </div>
  )
}

/** Alignment and width of a table column. */
function TableColumnFields({ config, onChange }: Pick<ColumnFieldsProps, 'config' | 'onChange'>) {
  const t = useTranslate()
  return (
    <>
      <Field label={t('explore.columnConfig.align', 'Alignment')}>
        <Select<string>
          value={config.horizontalAlign ?? null}
          placeholder={t('explore.columnConfig.byKind', 'By type (numbers right)')}
          clearable
          options={[
            { value: 'left', label: t('explore.columnConfig.left', 'Left') },
            { value: 'center', label: t('explore.columnConfig.center', 'Center') },
            { value: 'right', label: t('explore.columnConfig.right', 'Right') },
          ]}
          onChange={(next) => onChange({ horizontalAlign: next ?? undefined })}
        />
      </Field>
      <Field label={t('explore.columnConfig.width', 'Width in pixels')}>
        <NumberInput
          integer
          min={20}
          value={config.columnWidth ?? null}
          onChange={(next) => onChange({ columnWidth: next ?? undefined })}
        />
      </Field>
    </>
  )
}
