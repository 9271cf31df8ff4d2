import type { FileStyle } from '@parquetry/model'
import { ErrorPanel, Field, SegmentedControl, Select, Skeleton, TextInput, useTranslate } from '@parquetry/ui'
import { overwriteText } from '@parquetry/model/table-file/names'
import { useQuery } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import { useDebounced } from '../shared/use-debounced.ts'
import { useEffect } from 'react'
import { ColumnNotes } from './ColumnNotes.tsx'
import { InvalidValues } from './InvalidValues.tsx'
import { FilePreview } from './FilePreview.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { ReadingOptions } from './ReadingOptions.tsx'
import type { UploadItem, UploadTargets } from './upload-item.ts'
import styles from './upload.module.css'

export interface FileFormProps {
  row: UploadItem
  targets: UploadTargets | undefined
  targetsError: string | null
  database: number | null
  isLoading: boolean
  onDatabase(id: number | null): void
  onChange(change: Partial<UploadItem>): void
  onRelook(settings: Partial<FileStyle>): void
  /** Adds the other sheets of the workbook; null if all are listed. */
  onAddSheets: (() => void) | null
}

const typedAfterMs = 250

/** Settings for loading one file. */
export function FileForm(props: FileFormProps) {
  const { row, targets, targetsError, database, onDatabase, onChange, onRelook, onAddSheets } = props
  const t = useTranslate()
  const isText = row.format === 'csv' || row.format === 'json'
  useTaken(row, database, onChange)
  const several = targets && targets.result.length + (targets.makes ? 1 : 0) > 1
  return (
    <div className={styles.form}>
      <div className={styles.top}>
        <Field label={t('upload.name', 'Table name')}>
          <TextInput
            value={row.table_name}
            maxLength={120}
            data-autofocus
            onChange={(table_name) => onChange({ table_name, taken: null, already_exists: 'fail', overwrite: '' })}
          />
        </Field>
        {several && (
          <Field label={t('upload.into', 'Database')}>
            <Select
              value={database ?? (targets.makes ? 0 : (targets.result[0]?.id ?? 0))}
              options={[
                ...(targets.makes ? [{ value: 0, label: 'Uploads' }] : []),
                ...targets.result.map(({ id, database_name }) => ({ value: id, label: database_name })),
              ]}
              onChange={(id) => onDatabase(id || null)}
            />
          </Field>
        )}
        <div className={styles.state}>
          <UploadProgress row={row} />
        </div>
      </div>
      {row.taken && <Taken row={row} mayReplace={row.taken.may_replace} onChange={onChange} />}
      {(row.error ?? targetsError) && (
        <ErrorPanel inline title={t('upload.failed', 'Could not add the file')}>
          {row.error ?? targetsError}
        </ErrorPanel>
      )}
      {row.look ? (
        <>
          <FilePreview row={row} onChange={onChange} />
          <ColumnNotes row={row} onChange={onChange} onRelook={onRelook} />
          <InvalidValues row={row} onChange={onChange} />
          <ReadingOptions look={row.look} onRelook={onRelook} onAddSheets={onAddSheets} />
        </>
      ) : isText && row.start ? (
        <FirstLines start={row.start} onRelook={onRelook} row={row} />
      ) : (
        !row.error && <Skeleton height={320} />
      )}
    </div>
  )
}

/** Checks, debounced, whether the table name is available. */
function useTaken(row: UploadItem, database: number | null, onChange: (change: Partial<UploadItem>) => void): void {
  const table_name = useDebounced(row.table_name.trim(), typedAfterMs)
  const { data } = useQuery({
    queryKey: ['upload', 'taken', database, table_name],
    queryFn: ({ signal }) =>
      api.get('/api/v1/upload/taken/', {
        query: { table_name, database },
        signal,
      }),
    enabled: table_name !== '' && row.state?.state !== 'ready',
    gcTime: 0,
  })
  const isNameTaken = data?.taken === true && row.table_name.trim() === table_name
  useEffect(() => {
    if (isNameTaken !== (row.taken !== null))
      onChange({
        taken: isNameTaken ? { may_replace: data.may_replace } : null,
        ...(!isNameTaken && { already_exists: 'fail' }),
      })
  }, [isNameTaken, row.taken, data, onChange])
}

/** LIST-024: replacing requires typing the confirmation text. */
function Taken({
  row,
  mayReplace,
  onChange,
}: {
  row: UploadItem
  mayReplace: boolean
  onChange(change: Partial<UploadItem>): void
}) {
  const t = useTranslate()
  const name = row.table_name.trim()
  if (!mayReplace)
    return (
      <p className={styles.warning} role="status">
        {t('upload.taken.others', 'The table {name} belongs to another user. Choose another name.', { name })}
      </p>
    )
  return (
    <div className={styles.taken}>
      <p role="status">{t('upload.taken.yours', 'The table {name} already exists.', { name })}</p>
      <SegmentedControl
        label={t('upload.taken.how', 'Existing table')}
        value={row.already_exists}
        onChange={(already_exists) => onChange({ already_exists })}
        options={[
          { value: 'fail', label: t('upload.taken.name', 'Choose another name') },
          { value: 'append', label: t('upload.taken.append', 'Append') },
          { value: 'replace', label: t('upload.taken.replace', 'Replace') },
        ]}
      />
      {row.already_exists === 'replace' && (
        <Field label={t('upload.taken.type', 'Type {text} to replace it', { text: overwriteText })}>
          <TextInput value={row.overwrite} onChange={(overwrite) => onChange({ overwrite })} autoComplete="off" />
        </Field>
      )}
    </div>
  )
}

const shownLines = 10

/** Shown when no table was found: the first lines, and the reading options for CSV. */
function FirstLines({
  start,
  row,
  onRelook,
}: {
  start: Uint8Array
  row: UploadItem
  onRelook(settings: Partial<FileStyle>): void
}) {
  const t = useTranslate()
  const lines = new TextDecoder().decode(start.subarray(0, 4000)).split('\n').slice(0, shownLines).join('\n')
  return (
    <>
      <p className={styles.warning} role="status">
        {row.format === 'json'
          ? t('upload.notTable.json', 'This file is not a list of objects, so it contains no table. First lines:')
          : t('upload.notTable.csv', 'No table found in this file. First lines:')}
      </p>
      <pre className={styles.lines} tabIndex={0} aria-label={t('upload.notTable.lines', 'First lines of the file')}>
        {lines}
      </pre>
      {row.format === 'csv' && <ReadingOptions look={null} onRelook={onRelook} onAddSheets={null} />}
    </>
  )
}
