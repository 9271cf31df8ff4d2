import { formatter, numberFormats } from '@parquetry/charts'
import type { ColumnProfile, DatasetUsage } from '@parquetry/model'
import { Button, Checkbox, Field, IconButton, Select, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { useEffect, useRef } from 'react'
import { i18n } from '../intl.ts'
import { Markdown } from '../Markdown.tsx'
import { SqlField } from '../sql-field/SqlField.tsx'
import type { SqlName } from '../sql-field/sql-completions.ts'
import { useExpressionCheck } from '../sql-field/use-expression-check.ts'
import type { CellEdit } from './draft.ts'
import { type ColumnOrMetric, type SheetKind, type EditedColumn, type EditedMetric, nameOf } from './document.ts'
import { normalizeFolderPath } from './folders.ts'
import { ProfileFigures } from './ProfileFigures.tsx'
import { ExpressionPreview } from './ExpressionPreview.tsx'
import { findDependents, DependentsList } from './DependentsList.tsx'
import styles from './editor.module.css'

const noHosts: readonly string[] = []

export interface ColumnOrMetricDetailsProps {
  datasetId: number
  /** Names that expressions may use, and the quote character for them. */
  names: readonly SqlName[]
  quote: '"' | '`'
  kind: SheetKind
  child: ColumnOrMetric
  problem: string | undefined
  usage: DatasetUsage | undefined
  profile: ColumnProfile | undefined
  rowCount: number
  /** Physical columns of a table cannot be renamed. */
  isNameFixed: boolean
  readOnly: string | undefined
  onEdit(edits: CellEdit[]): void
  onRemove(): void
  onClose(): void
}

const example = 12_345.678

/** Time formats of columns stored as text or numbers, as the API names them. */
const timeFormats = ['%Y-%m-%d', '%Y-%m-%d %H:%M:%S', '%Y-%m-%dT%H:%M:%S', '%Y%m%d', '%Y', 'epoch_s', 'epoch_ms']

/** Details of one column or metric, beside the sheet; typed values appear in the sheet immediately. */
export function ColumnOrMetricDetails(props: ColumnOrMetricDetailsProps) {
  const { child, kind, problem, readOnly, onRemove, onClose } = props
  const t = useTranslate()
  const set = (field: string) => (value: string | boolean) => props.onEdit([{ key: child.key, field, value }])
  const isMetric = kind === 'metrics'
  const box = useRef<HTMLElement>(null)
  const isNew = child.id === null && child.expression === ''
  useEffect(() => {
    if (isNew) box.current?.querySelector<HTMLInputElement>('input')?.select()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was just made is named first
  }, [])
  return (
    <section
      ref={box}
      className={styles.details}
      aria-label={t('dataset.details', 'Details of {name}', { name: nameOf(child) })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header className={styles.detailsHead}>
        <h2>{child.verbose_name || nameOf(child) || t('dataset.unnamed', 'Unnamed')}</h2>
        <IconButton icon="close" label={t('dataset.details.close', 'Close details')} onClick={onClose} />
      </header>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <fieldset className={styles.fields} disabled={readOnly !== undefined}>
        {isMetric ? (
          <MetricFields {...props} metric={child as EditedMetric} set={set} />
        ) : (
          <ColumnFields {...props} column={child as EditedColumn} set={set} />
        )}
        <Field label={t('dataset.column.label', 'Label')} help={t('dataset.label.help', 'Shown instead of the name.')}>
          <TextInput value={child.verbose_name} onChange={set('verbose_name')} />
        </Field>
        <Field
          label={t('dataset.column.description', 'Description')}
          help={t('dataset.markdown', 'Supports Markdown.')}
        >
          <TextArea rows={3} value={child.description} onChange={set('description')} />
        </Field>
        {/[*_`#[\]~|]|https?:/.test(child.description) && (
          <div className={styles.markdown}>
            <Markdown text={child.description} html={false} imageHosts={noHosts} />
          </div>
        )}
        <Field
          label={t('dataset.column.folder', 'Folder')}
          help={t('dataset.folder.help', 'Use a slash to create subfolders: Sales / Net.')}
        >
          <TextInput
            key={child.key}
            value={child.folder}
            onChange={set('folder')}
            onBlur={() =>
              normalizeFolderPath(child.folder) !== child.folder && set('folder')(normalizeFolderPath(child.folder))
            }
          />
        </Field>
        <div className={styles.two}>
          <Field label={t('dataset.column.certified', 'Certified by')}>
            <TextInput value={child.certified_by} onChange={set('certified_by')} />
          </Field>
          <Field label={t('dataset.certification', 'Certification details')}>
            <TextInput value={child.certification_details} onChange={set('certification_details')} />
          </Field>
        </div>
        <Field
          label={t('dataset.warning', 'Warning')}
          help={t('dataset.warning.help', 'Shown wherever this can be selected. Supports Markdown.')}
        >
          <TextArea rows={2} value={child.warning_markdown} onChange={set('warning_markdown')} />
        </Field>
        {readOnly === undefined && (
          <Button variant="quiet" icon="trash" onClick={onRemove}>
            {isMetric ? t('dataset.metric.remove', 'Remove metric') : t('dataset.column.remove', 'Remove column')}
          </Button>
        )}
      </fieldset>
      {props.profile && (
        <ProfileFigures profile={props.profile} rowCount={props.rowCount} column={child as EditedColumn} />
      )}
      {props.usage && <DependentsList users={findDependents(props.usage, kind, nameOf(child))} />}
    </section>
  )
}

type Set = (field: string) => (value: string | boolean) => void

function ColumnFields({
  column,
  set,
  isNameFixed,
  ...props
}: ColumnOrMetricDetailsProps & { column: EditedColumn; set: Set }) {
  const t = useTranslate()
  return (
    <>
      <Field
        label={t('dataset.column.name', 'Name')}
        help={isNameFixed ? t('dataset.name.fixed', 'Column names come from the table.') : undefined}
      >
        <TextInput mono value={column.column_name} onChange={set('column_name')} readOnly={isNameFixed} />
      </Field>
      {column.isCalculated && (
        <>
          <Expression {...props} of="column" sql={column.expression} onChange={set('expression')} format={toText} />
        </>
      )}
      <Field label={t('dataset.column.type', 'Type')}>
        <TextInput
          mono
          value={column.type}
          onChange={set('type')}
          readOnly={!column.isCalculated}
          placeholder={t('dataset.type.learned', 'Detected when saved')}
        />
      </Field>
      <div className={styles.checks}>
        <Checkbox
          label={t('dataset.isTime', 'Contains dates or times')}
          checked={column.is_dttm}
          onChange={set('is_dttm')}
        />
        <Checkbox
          label={t('dataset.isFilter', 'Can be used in filters')}
          checked={column.filterable}
          onChange={set('filterable')}
        />
        <Checkbox
          label={t('dataset.isGroup', 'Can be used as a dimension')}
          checked={column.groupby}
          onChange={set('groupby')}
        />
        <Checkbox
          label={t('dataset.isActive', 'Available in charts')}
          checked={column.is_active}
          onChange={set('is_active')}
        />
      </div>
      {column.is_dttm && (
        <Field
          label={t('dataset.timeFormat', 'Time format')}
          help={t('dataset.timeFormat.help', 'For times that the database stores as text or numbers.')}
        >
          <Select<string>
            value={column.python_date_format || null}
            selectedLabel={column.python_date_format}
            options={timeFormats.map((value) => ({ value, label: value }))}
            freeText
            clearable
            placeholder={t('dataset.timeFormat.none', 'Native date or time type')}
            onChange={(value) => set('python_date_format')(value ?? '')}
          />
        </Field>
      )}
      <Field label={t('dataset.advancedType', 'Advanced data type')}>
        <TextInput
          value={column.advanced_data_type}
          onChange={set('advanced_data_type')}
          placeholder={t('dataset.advancedType.none', 'For example, port or internet_address')}
        />
      </Field>
    </>
  )
}

interface ExpressionProps extends Pick<ColumnOrMetricDetailsProps, 'datasetId' | 'names' | 'quote' | 'readOnly'> {
  of: 'metric' | 'column'
  sql: string
  help?: string
  onChange(sql: string): void
  format: (value: unknown) => string
}

/** SQL with name completion, underlined errors, and a preview of its result. */
function Expression({ datasetId, names, quote, readOnly, of, sql, help, onChange, format }: ExpressionProps) {
  const t = useTranslate()
  const fault = useExpressionCheck({ id: datasetId, type: 'table' }, readOnly === undefined ? { kind: of, sql } : null)
  return (
    <>
      <SqlField
        label={t('dataset.expression', 'SQL expression')}
        rows={4}
        value={sql}
        onChange={onChange}
        names={names}
        quote={quote}
        fault={fault}
        {...(help !== undefined && { help })}
      />
      {!fault && <ExpressionPreview datasetId={datasetId} kind={of} sql={sql} format={format} />}
    </>
  )
}

function MetricFields({ metric, set, ...props }: ColumnOrMetricDetailsProps & { metric: EditedMetric; set: Set }) {
  const t = useTranslate()
  const { d3format, currency_symbol, currency_position } = metric
  const name = d3format || 'SMART_NUMBER'
  const write = formatter(
    currency_symbol ? `currency:${currency_symbol}:${currency_position}:${name}` : name,
    i18n.locale,
  )
  const shown = (value: unknown) => (typeof value === 'number' ? write(value) : toText(value))
  return (
    <>
      <Field label={t('dataset.column.name', 'Name')}>
        <TextInput mono value={metric.metric_name} onChange={set('metric_name')} />
      </Field>
      <Expression
        {...props}
        of="metric"
        help={t('dataset.metric.help', 'An aggregate expression, such as SUM(amount) / 100.')}
        sql={metric.expression}
        onChange={set('expression')}
        format={shown}
      />
      <Field
        label={t('dataset.column.format', 'Format')}
        help={t('dataset.format.example', 'Example: {number} → {text}', {
          number: String(example),
          text: write(example),
        })}
      >
        <Select<string>
          value={d3format || null}
          selectedLabel={d3format}
          options={numberFormats.map(([value, label]) => ({ value, label }))}
          freeText
          clearable
          placeholder={t('dataset.format.none', 'Chart default')}
          onChange={(value) => set('d3format')(value ?? '')}
        />
      </Field>
      <div className={styles.two}>
        <Field label={t('dataset.column.currency', 'Currency')}>
          <TextInput
            value={currency_symbol}
            onChange={(value) => set('currency_symbol')(value.toUpperCase())}
            placeholder="EUR"
            maxLength={128}
          />
        </Field>
        <Field label={t('dataset.currency.place', 'Position')}>
          <Select<'prefix' | 'suffix'>
            value={currency_position}
            options={[
              { value: 'prefix', label: t('dataset.currency.before', 'Before') },
              { value: 'suffix', label: t('dataset.currency.after', 'After') },
            ]}
            disabledReason={currency_symbol ? undefined : t('dataset.currency.first', 'Enter a currency first')}
            onChange={(value) => set('currency_position')(value ?? 'prefix')}
          />
        </Field>
      </div>
    </>
  )
}

const toText = (value: unknown): string =>
  value === null || value === undefined
    ? '∅'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value as string)
