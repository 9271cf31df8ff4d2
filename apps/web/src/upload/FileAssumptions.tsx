import type { FileStyle } from '@parquetry/model'
import type { FileAssumption } from '@parquetry/model/table-file/file-preview'
import { Icon, SegmentedControl, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { EncodingSelect } from './EncodingSelect.tsx'
import { patchStyle, type UploadItem } from './upload-item.ts'
import styles from './upload.module.css'

export interface FileAssumptionsProps {
  row: UploadItem
  onChange(change: Partial<UploadItem>): void
  onRelook(settings: Partial<FileStyle>): void
}

/** Assumptions about the whole file, each with a control that changes it. */
export function FileAssumptions({ row, onChange, onRelook }: FileAssumptionsProps) {
  return row.look?.assumptions.map((assumption) => (
    <Assumption
      key={assumption}
      assumption={assumption}
      style={row.look!.style}
      onStyle={(patch) => onChange(patchStyle(row, patch))}
      onRelook={onRelook}
    />
  ))
}

interface AssumptionProps {
  assumption: FileAssumption
  style: FileStyle
  /** Changes a style that does not change the types of the columns. */
  onStyle(patch: Partial<FileStyle>): void
  onRelook(settings: Partial<FileStyle>): void
}

function Assumption({ assumption, style, onStyle, onRelook }: AssumptionProps) {
  const t = useTranslate()
  const note = (text: string, control?: ReactNode) => (
    <div className={styles.note}>
      <p>
        <Icon name="info" />
        <span>{text}</span>
      </p>
      {control}
    </div>
  )
  switch (assumption) {
    case 'titles':
      return note(
        t('upload.assumption.titles', 'The column names are in line {line, number}; the lines above are skipped', {
          line: style.skip + 1,
        }),
        <SegmentedControl
          label={t('upload.assumption.titlesChoice', 'Lines before the table')}
          value="skip"
          options={[
            { value: 'skip', label: t('upload.assumption.skip', 'Skip') },
            { value: 'read', label: t('upload.assumption.read', 'Read') },
          ]}
          onChange={(choice) => choice === 'read' && onRelook({ nulls: style.nulls, sheet: style.sheet, skip: 0 })}
        />,
      )
    case 'empty-texts': {
      const others = style.nulls.filter((marker) => marker !== '')
      return note(
        t('upload.assumption.emptyTexts', 'Values written as "" are read as empty text, not as null'),
        <SegmentedControl
          label={t('upload.assumption.emptyTextsChoice', 'Read "" as')}
          value={style.nulls.includes('') ? 'null' : 'text'}
          options={[
            { value: 'text', label: t('upload.assumption.emptyText', 'Empty text') },
            { value: 'null', label: t('upload.assumption.null', 'Null') },
          ]}
          onChange={(choice) => onStyle({ nulls: choice === 'null' ? ['', ...others] : others })}
        />,
      )
    }
    case 'encoding':
      return note(
        t('upload.assumption.encoding', 'The encoding was guessed. Check letters with accents and other scripts'),
        <EncodingSelect
          compact
          value={style.encoding}
          onChange={(encoding) => onRelook({ nulls: style.nulls, encoding })}
        />,
      )
    case 'formulas':
      return note(
        t(
          'upload.assumption.formulas',
          'Formulas without a stored result are left empty. Open the workbook in a spreadsheet program and save it first',
        ),
      )
    case 'errors':
      return note(t('upload.assumption.errors', 'Cells with errors such as #N/A are left empty'))
  }
}
