import { formatText, nullText } from '@parquetry/charts'
import type { FileColumn } from '@parquetry/model'
import { fileTypes, formatsFor, parseValue } from '@parquetry/model/table-file/types'
import { Icon, Select, TextInput, useTranslate, type IconName } from '@parquetry/ui'
import { formatLabel, typeLabels } from './reading-labels.ts'
import { chooseType, nameErrors, readColumnAs, renameColumn, type UploadItem } from './upload-item.ts'
import styles from './upload.module.css'

const icons: Record<FileColumn['type'], IconName> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'calendar',
  datetime: 'clock',
}

/** Number of columns shown; wider files can be added, and a note states how many more there are. */
const shownColumns = 60

/** First rows as the table will contain them, under editable headers: name, type, format, and whether to include the column. */
export function FilePreview({ row, onChange }: { row: UploadItem; onChange(change: Partial<UploadItem>): void }) {
  const t = useTranslate()
  const typeNames = typeLabels(t)
  const wrong = nameErrors(row)
  const columns = row.columns.slice(0, shownColumns)
  const more = row.columns.length - columns.length
  const isRight = ({ type }: FileColumn) => type === 'integer' || type === 'decimal'
  const isAppended = row.taken !== null && row.already_exists === 'append'
  const hasFormats = row.look?.style.format !== 'parquet'
  return (
    <div className={styles.preview} role="region" aria-label={t('upload.preview', 'Preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => {
              const isLeft = row.left.has(column.source)
              return (
                <th key={column.source} scope="col" data-left={isLeft || undefined}>
                  <div className={styles.head}>
                    <input
                      type="checkbox"
                      checked={!isLeft}
                      aria-label={t('upload.column.take', 'Include column {name}', { name: column.name })}
                      onChange={() => onChange({ left: toggled(row.left, column.source) })}
                    />
                    <TextInput
                      value={column.name}
                      maxLength={120}
                      aria-label={t('upload.column.name', 'Name of column {name}', { name: column.name })}
                      aria-invalid={wrong.has(column.source) || undefined}
                      onChange={(name) => onChange(renameColumn(row, column.source, name))}
                    />
                  </div>
                  {isAppended ? (
                    <span className={styles.quiet}>{t('upload.column.ofTable', 'type from table')}</span>
                  ) : (
                    <div className={styles.reading}>
                      <Select
                        compact
                        value={column.type}
                        icon={icons[column.type]}
                        aria-label={t('upload.column.type', 'Type of column {name}', { name: column.name })}
                        options={fileTypes.map((type) => ({ value: type, label: typeNames[type], icon: icons[type] }))}
                        onChange={(type) => type && onChange(chooseType(row, column.source, type))}
                      />
                      {hasFormats && formatsFor(column.type).length > 0 && (
                        <Select<string>
                          compact
                          value={column.format === 'grouped' ? plain : (column.format ?? plain)}
                          aria-label={t('upload.column.format', 'Format of column {name}', { name: column.name })}
                          options={formatsFor(column.type).map((format) => ({
                            value: format ?? plain,
                            label: formatLabel(t, format),
                          }))}
                          onChange={(value) => {
                            const format = formatsFor(column.type).find((each) => (each ?? plain) === value) ?? null
                            onChange(readColumnAs(row, column.source, { type: column.type, format }))
                          }}
                        />
                      )}
                    </div>
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {row.look?.rows.map((values, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no names, and never move
            <tr key={at}>
              {columns.map((column, index) => (
                <td
                  key={column.source}
                  data-right={isRight(column) || undefined}
                  data-left={row.left.has(column.source) || undefined}
                >
                  <Cell row={row} column={column} text={values[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className={styles.quiet}>
          <Icon name="info" />{' '}
          {t(
            'upload.preview.more',
            '{count, plural, one {# more column is} other {# more columns are}} added with the detected names and types',
            {
              count: more,
            },
          )}
        </p>
      )}
    </div>
  )
}

function toggled<T>(set: ReadonlySet<T>, value: T): Set<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

const plain = 'plain'

/** A value as the table will contain it; the text of the file appears on hover, and struck through if it is not a value. */
function Cell({ row, column, text }: { row: UploadItem; column: FileColumn; text: string | null }) {
  const { look } = row
  if (text === null || !look || look.style.nulls.includes(text.trim()))
    return <span className={styles.none}>{nullText}</span>
  if (look.style.format === 'parquet') return text
  // Spaces and empty quotes are no value of other columns than texts.
  if (text.trim() === '' && column.type !== 'text') return <span className={styles.none}>{nullText}</span>
  const value = parseValue(text, column, look.style)
  if (value === null) return <s className={styles.bad}>{text}</s>
  return value === text ? formatText(text) : <span title={text}>{value}</span>
}
