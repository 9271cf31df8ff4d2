import type { FilePreview, FileStyle } from '@parquetry/model'
import { defaultFileStyle } from '@parquetry/model/table-file/file-preview'
import { delimiters } from '@parquetry/model/table-file/csv'
import { Button, Checkbox, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { EncodingSelect, encodingNames } from './EncodingSelect.tsx'
import styles from './upload.module.css'

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
  const markers = style.nulls.filter((marker) => marker !== '')
  const [nullsText, setNullsText] = useState(markers.join(', '))
  if (style.format === 'parquet') return null
  const isCsv = style.format === 'csv'
  const isSheet = style.format === 'xlsx'
  const { delimiter, quote, encoding, header, skip, decimal, sheet, nulls } = style
  const applyStyle = (settings: Partial<FileStyle>) =>
    onRelook({
      nulls,
      ...(isSheet && { header, skip, sheet }),
      ...(isCsv && { header, skip, delimiter, quote, encoding, decimal }),
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
              <EncodingSelect value={encoding} onChange={(value) => applyStyle({ encoding: value })} />
            </Field>
            <Field label={t('upload.options.quote', 'Quotation mark')}>
              <Select
                value={quote}
                options={[
                  { value: '"', label: t('upload.quote.double', 'Double') },
                  { value: "'", label: t('upload.quote.single', 'Single') },
                  { value: '', label: t('upload.quote.none', 'None') },
                ]}
                onChange={(value) => applyStyle({ quote: value ?? '"' })}
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
              // Another sheet has its own header.
              onChange={(value) => value && onRelook({ nulls, sheet: value })}
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
            onBlur={() =>
              nullsText !== markers.join(', ') &&
              applyStyle({ nulls: [...(nulls.includes('') ? [''] : []), ...splitMarkers(nullsText)] })
            }
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
