import { Button, Dialog, Icon, IconButton, toast, useNavigation, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { closeUpload, filesToUpload, subscribeUpload } from '../shared/upload.ts'
import { FileForm } from './FileForm.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import type { UploadItem } from './upload-item.ts'
import { UploadList } from './upload-list.ts'
import { formatFileSize } from '../shared/format-file-size.ts'
import { discardedText, findUploadProblem } from './texts.ts'
import styles from './upload.module.css'

/** Loads dropped or chosen files into tables: each is sent and analyzed immediately, and loaded on confirmation. */
export function UploadDialog() {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const files = useSyncExternalStore(subscribeUpload, filesToUpload)
  const [store] = useState(() => new UploadList())
  const rows = useSyncExternalStore(store.subscribe, store.all)
  useEffect(() => store.add(files), [store, files])
  const [database, setDatabase] = useState<number | null>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [adding, setAdding] = useState<'chart' | 'only' | null>(null)
  const targets = useQuery({
    queryKey: ['upload', 'targets'],
    queryFn: ({ signal }) => api.get('/api/v1/upload/targets/', { signal }),
  })

  const close = (): void => {
    store.removeAll()
    closeUpload()
  }
  const chosen = rows.find(({ key }) => key === current) ?? rows[0]
  const open = rows.filter((row) => row.state?.state !== 'ready')
  const missing = open
    .map((row) => {
      const reason = findUploadProblem(row, t)
      return reason !== undefined && rows.length > 1 ? `${nameOf(row)}: ${reason}` : reason
    })
    .find((reason) => reason !== undefined)
  const isLoading = adding !== null

  const startUploads = async (how: 'chart' | 'only'): Promise<void> => {
    if (missing || isLoading || open.length === 0) return
    setAdding(how)
    const ends = await Promise.all(open.map(({ key }) => store.load(key, database)))
    setAdding(null)
    const done = store.all().flatMap(({ state }) => (state?.state === 'ready' ? [state] : []))
    if (done.length === 0 || ends.some((end) => end?.state !== 'ready')) return
    for (const kind of ['dataset', 'database', 'sqllab', 'upload']) void queries.invalidateQueries({ queryKey: [kind] })
    closeUpload()
    const [first] = done
    const lost = discardedText(t, done)
    const added = t('upload.added', '{count, plural, one {{name} added} other {# tables added}}', {
      count: done.length,
      name: first?.table_name ?? '',
    })
    if (lost !== null) toast(t('upload.lost', '{added}: {lost}', { added, lost }), { kind: 'warning' })
    else if (how === 'only') toast(added)
    if (how === 'chart') go(`/chart/suggestions/?dataset_id=${first?.dataset_id ?? ''}`)
  }
  if (!chosen) return null
  const isOne = rows.length === 1
  const title = isOne
    ? t('upload.title.one', 'Add {name} · {size}', { name: chosen.file.name, size: formatFileSize(chosen.file.size) })
    : t('upload.title.many', 'Add {count, plural, one {# file} other {# files}}', { count: rows.length })
  return (
    <Dialog
      open
      width={960}
      title={title}
      onClose={close}
      onSubmit={() => void startUploads(isOne ? 'chart' : 'only')}
      footer={
        <>
          <Button onClick={close}>{t('upload.cancel', 'Cancel')}</Button>
          {isOne && (
            <Button busy={adding === 'only'} disabledReason={missing} onClick={() => void startUploads('only')}>
              {t('upload.add', 'Add')}
            </Button>
          )}
          <Button
            variant="primary"
            type="submit"
            busy={isOne ? adding === 'chart' : isLoading}
            disabledReason={missing}
          >
            {isOne
              ? t('upload.addChart', 'Add and create chart')
              : t('upload.addMany', 'Add {count, plural, one {# file} other {# files}}', { count: open.length })}
          </Button>
        </>
      }
    >
      {!isOne && (
        <FileList
          rows={rows}
          chosen={chosen.key}
          onChoose={setCurrent}
          onRemove={(row) => {
            if (rows.length === 1) close()
            else store.remove(row)
          }}
        />
      )}
      <FileForm
        key={chosen.key}
        row={chosen}
        targets={targets.data}
        targetsError={targets.error ? messageOf(targets.error) : null}
        database={database}
        isLoading={isLoading}
        onDatabase={setDatabase}
        onChange={(change) => store.patch(chosen.key, change)}
        onRelook={(settings) => void store.guessAgain(chosen, settings)}
        onAddSheets={hasMoreSheets(rows, chosen) ? () => store.addSheets(chosen.key) : null}
      />
    </Dialog>
  )
}

const hasMoreSheets = (rows: readonly UploadItem[], { file, look }: UploadItem): boolean =>
  (look?.sheets?.length ?? 0) > rows.filter((row) => row.file === file).length

const nameOf = ({ file, sheet }: UploadItem): string => (sheet === null ? file.name : `${file.name} · ${sheet}`)

/** One row per file; the chosen one is shown below. */
function FileList({
  rows,
  chosen,
  onChoose,
  onRemove,
}: {
  rows: readonly UploadItem[]
  chosen: string
  onChoose(key: string): void
  onRemove(row: UploadItem): void
}) {
  const t = useTranslate()
  return (
    <ul className={styles.files} aria-label={t('upload.files', 'Files')}>
      {rows.map((row) => (
        <li key={row.key} className={styles.file} data-chosen={row.key === chosen || undefined}>
          <button
            type="button"
            className={styles.fileName}
            aria-pressed={row.key === chosen}
            onClick={() => onChoose(row.key)}
          >
            {(row.error !== null || findUploadProblem(row, t) !== undefined) && <Icon name="warning" />}
            <span>{nameOf(row)}</span>
          </button>
          <span className={styles.quiet}>{formatFileSize(row.file.size)}</span>
          <UploadProgress row={row} short />
          <IconButton
            icon="close"
            label={t('upload.remove', 'Remove {name}', { name: nameOf(row) })}
            onClick={() => onRemove(row)}
          />
        </li>
      ))}
    </ul>
  )
}
