import type { FilePreview, FileStyle } from '@parquetry/model'
import { defaultFileStyle } from '@parquetry/model/table-file/guess'
import { delimiters } from '@parquetry/model/table-file/csv'
import { fileEncodings, type FileEncoding } from '@parquetry/model/table-file/encoding'
import { Checkbox, Field, NumberInput, Select, useTranslate } from '@parquetry/ui'
import styles from './upload.module.css'

const encodingNames: Record<FileEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
  'latin-1': 'Latin-1',
}

/** Detected reading options of a file; each change reads it again. */
export function ReadingOptions({
  look,
  onRelook,
}: {
  look: FilePreview | null
  onRelook(settings: Partial<FileStyle>): void
}) {
  const t = useTranslate()
  const style = look?.style ?? defaultFileStyle
  if (style.format === 'parquet' || style.format === 'json') return null
  const isCsv = style.format === 'csv'
  const { delimiter, encoding, header, skip, decimal, sheet } = style
  const applyStyle = (settings: Partial<FileStyle>) =>
    onRelook({ header, skip, ...(isCsv ? { delimiter, encoding, decimal } : { sheet }), ...settings })
  const names: Record<string, string> = {
    ',': t('upload.delimiter.comma', 'Comma'),
    ';': t('upload.delimiter.semicolon', 'Semicolon'),
    '\t': t('upload.delimiter.tab', 'Tab'),
    '|': t('upload.delimiter.bar', 'Pipe'),
  }
  return (
    <details className={styles.options}>
      <summary>
        {isCsv
          ? t('upload.options.csv', 'Delimiter, encoding, number format (detected: {delimiter}, {encoding})', {
              delimiter: names[delimiter] ?? delimiter,
              encoding: encodingNames[encoding],
            })
          : t('upload.options.sheet', 'Sheet and header')}
      </summary>
      <div className={styles.optionRow}>
        {isCsv ? (
          <>
            <Field label={t('upload.options.delimiter', 'Delimiter')}>
              <Select
                value={delimiter}
                options={delimiters.map((value) => ({ value, label: names[value] ?? value }))}
                onChange={(value) => value && applyStyle({ delimiter: value })}
              />
            </Field>
            <Field label={t('upload.options.encoding', 'Encoding')}>
              <Select
                value={encoding}
                options={fileEncodings.map((value) => ({ value, label: encodingNames[value] }))}
                onChange={(value) => value && applyStyle({ encoding: value })}
              />
            </Field>
            <Field label={t('upload.options.decimal', 'Number format')}>
              <Select
                value={decimal}
                options={[
                  { value: '.', label: t('upload.options.point', '1,234.5') },
                  { value: ',', label: t('upload.options.comma', '1.234,5') },
                ]}
                onChange={(value) => value && applyStyle({ decimal: value as '.' })}
              />
            </Field>
          </>
        ) : (
          <Field label={t('upload.options.sheetName', 'Sheet')}>
            <Select
              value={sheet ?? look?.sheets?.[0] ?? null}
              options={(look?.sheets ?? []).map((value) => ({ value, label: value }))}
              onChange={(value) => value && applyStyle({ sheet: value })}
            />
          </Field>
        )}
        <Field label={t('upload.options.skip', 'Lines to skip')}>
          <NumberInput value={skip} min={0} max={100_000} onChange={(value) => applyStyle({ skip: value ?? 0 })} />
        </Field>
        <Checkbox
          checked={header}
          onChange={(value) => applyStyle({ header: value })}
          label={t('upload.options.header', 'First line contains column names')}
        />
      </div>
    </details>
  )
}
