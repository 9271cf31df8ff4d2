import type { FilePreview, FileStyle } from '@parquetry/model'
import { defaultFileStyle } from '@parquetry/model/table-file/file-preview'
import { delimiters } from '@parquetry/model/table-file/csv'
import { fileEncodings, type FileEncoding } from '@parquetry/model/table-file/encoding'
import { Button, Checkbox, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import styles from './upload.module.css'

const encodingNames: Record<FileEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big-endian)',
  'latin-1': 'Latin-1 (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  gbk: 'Simplified Chinese (GBK)',
  big5: 'Traditional Chinese (Big5)',
  'shift-jis': 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'euc-kr': 'Korean (EUC-KR)',
}

/** Detected reading options of a file; each change reads it again. */
export function ReadingOptions({
  look,
  onRelook,
  onAddSheets,
}: {
  look: FilePreview | null
  onRelook(settings: Partial<FileStyle>): void
  onAddSheets: (() => void) | null
}) {
  const t = useTranslate()
  const style = look?.style ?? defaultFileStyle
  const [nullsText, setNullsText] = useState(style.nulls.join(', '))
  if (style.format === 'parquet') return null
  const isCsv = style.format === 'csv'
  const isSheet = style.format === 'xlsx'
  const { delimiter, encoding, header, skip, decimal, sheet, nulls } = style
  const applyStyle = (settings: Partial<FileStyle>) =>
    onRelook({
      nulls,
      ...(isSheet && { header, skip, sheet }),
      ...(isCsv && { header, skip, delimiter, encoding, decimal }),
      ...settings,
    })
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
          : isSheet
            ? t('upload.options.sheet', 'Sheet and header')
            : t('upload.options.nullsOnly', 'Null markers')}
      </summary>
      <div className={styles.optionRow}>
        {isCsv && (
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
        )}
        {isSheet && (
          <Field label={t('upload.options.sheetName', 'Sheet')}>
            <Select
              value={sheet ?? look?.sheets?.[0] ?? null}
              options={(look?.sheets ?? []).map((value) => ({ value, label: value }))}
              onChange={(value) => value && applyStyle({ sheet: value })}
            />
          </Field>
        )}
        {(isCsv || isSheet) && (
          <Field label={t('upload.options.skip', 'Lines to skip')}>
            <NumberInput value={skip} min={0} max={100_000} onChange={(value) => applyStyle({ skip: value ?? 0 })} />
          </Field>
        )}
        <Field label={t('upload.options.nulls', 'Null markers')}>
          <TextInput
            value={nullsText}
            placeholder="NA, n/a, -"
            onChange={setNullsText}
            onBlur={() => nullsText !== nulls.join(', ') && applyStyle({ nulls: splitMarkers(nullsText) })}
          />
        </Field>
        {(isCsv || isSheet) && (
          <Checkbox
            checked={header}
            onChange={(value) => applyStyle({ header: value })}
            label={t('upload.options.header', 'First line contains column names')}
          />
        )}
        {onAddSheets && (
          <Button icon="plus" onClick={onAddSheets}>
            {t('upload.options.allSheets', 'Add the other sheets as tables')}
          </Button>
        )}
      </div>
    </details>
  )
}

const splitMarkers = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((marker) => marker.trim())
      .filter((marker) => marker !== ''),
  ),
]
