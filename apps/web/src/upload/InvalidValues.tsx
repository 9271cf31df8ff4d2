import type { FileColumn } from '@parquetry/model'
import type { MismatchedColumn } from '@parquetry/model/table-file/file-preview'
import { Button, Checkbox, Icon, SegmentedControl, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { countBadLines, readColumnAs, type UploadItem } from './upload-item.ts'
import styles from './upload.module.css'

/** Says of values that they are not of the expected kind. */
function formatMismatch(t: Translate, type: FileColumn['type'], count: number): string {
  const values = { count }
  if (type === 'integer')
    return t('upload.bad.integer', '{count, plural, one {is not a whole number} other {are not whole numbers}}', values)
  if (type === 'decimal')
    return t('upload.bad.decimal', '{count, plural, one {is not a number} other {are not numbers}}', values)
  if (type === 'boolean')
    return t('upload.bad.boolean', '{count, plural, one {is not a yes/no value} other {are not yes/no values}}', values)
  if (type === 'date') return t('upload.bad.date', '{count, plural, one {is not a date} other {are not dates}}', values)
  return t(
    'upload.bad.datetime',
    '{count, plural, one {is not a date with time} other {are not dates with times}}',
    values,
  )
}

/** Values and lines that do not fit, with counts, examples, and the choice to leave them empty or to make the column text. */
export function InvalidValues({ row, onChange }: { row: UploadItem; onChange(change: Partial<UploadItem>): void }) {
  const t = useTranslate()
  const [isShown, setShown] = useState(false)
  const { strays, columns, left } = row
  if (!strays) return null
  const nameOf = (source: FileColumn['source'] | null) => columns.find((column) => column.source === source)?.name
  const includedColumns = strays.columns.filter(({ source }) => !left.has(source) && nameOf(source) !== undefined)
  const lines = countBadLines(row)
  if (includedColumns.length === 0 && lines === 0) return null
  return (
    <div className={styles.unfit} role="status">
      {includedColumns.map((stray) => (
        <StrayLine key={stray.source} stray={stray} row={row} onChange={onChange} />
      ))}
      {lines > 0 && (
        <div className={styles.stray}>
          <p>
            <Icon name="warning" />{' '}
            {t(
              'upload.bad.lines',
              '{count, plural, one {# line has} other {# lines have}} too many or too few values',
              {
                count: lines,
              },
            )}
          </p>
          <Checkbox
            checked={row.consent.lines}
            onChange={(lines) => onChange({ consent: { ...row.consent, lines } })}
            label={t('upload.bad.consentLines', 'Fill short lines with empty values and skip long lines')}
          />
        </div>
      )}
      <Button variant="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? t('upload.bad.hide', 'Hide examples') : t('upload.bad.show', 'Show examples')}
      </Button>
      {isShown && (
        <ul className={styles.samples}>
          {strays.samples.map(({ line, source, value }) => (
            <li key={`${line} ${source ?? ''}`}>
              {source === null
                ? t('upload.bad.line', 'Line {line, number}:', { line })
                : t('upload.bad.value', 'Line {line, number}, {column}:', { line, column: nameOf(source) ?? '' })}{' '}
              <code>{value}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const shownValues = 3

/** Values of one column, which are left empty or make the column text. */
function StrayLine({
  stray,
  row,
  onChange,
}: {
  stray: MismatchedColumn
  row: UploadItem
  onChange(change: Partial<UploadItem>): void
}) {
  const t = useTranslate()
  const { source, type, format, exact = false, count, of, isWhole } = stray
  const column = row.columns.find((each) => each.source === source)!
  const isText = column.type === 'text'
  const values = new Set(row.strays?.samples.filter((each) => each.source === source).map(({ value }) => value))
  const messageValues = { count, of, name: column.name, mismatch: formatMismatch(t, type, count) }
  const choose = (choice: 'empty' | 'text' | 'none') => {
    const reading = choice === 'text' ? ({ type: 'text', format: null } as const) : { type, format, exact }
    const change = readColumnAs(row, source, reading)
    if (choice === 'text' || !change.consent) return onChange(change)
    const consented = new Set(change.consent.values).add(source)
    onChange({ ...change, consent: { ...change.consent, values: consented } })
  }
  return (
    <div className={styles.stray}>
      <p>
        <Icon name={isText ? 'text' : 'warning'} />{' '}
        <span>
          {isWhole
            ? t(
                'upload.bad.values',
                '{count, number} of {of, plural, one {# value} other {# values}} in {name} {mismatch}',
                messageValues,
              )
            : t(
                'upload.bad.valuesStart',
                '{count, number} of the first {of, number} values in {name} {mismatch}',
                messageValues,
              )}
          {values.size > 0 && ': '}
          {[...values].slice(0, shownValues).map((value, index) => (
            <span key={value}>
              {index > 0 && ', '}
              <code>{value}</code>
            </span>
          ))}
          {values.size > shownValues && ', …'}
        </span>
      </p>
      <SegmentedControl<'empty' | 'text' | 'none'>
        label={t('upload.bad.choice', 'Values in {name} that don’t fit', { name: column.name })}
        value={isText ? 'text' : row.consent.values.has(source) ? 'empty' : 'none'}
        options={[
          { value: 'empty', label: t('upload.bad.empty', 'Leave empty') },
          { value: 'text', label: t('upload.bad.text', 'Read column as text') },
        ]}
        onChange={choose}
      />
    </div>
  )
}
