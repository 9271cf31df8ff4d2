import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import type { ReportDetail } from '@parquetry/model'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { formatFileSize } from '../format-file-size.ts'
import { readServedName, saveBlob } from '../save-response.ts'
import { findMissingTarget } from './find-missing.ts'
import { toContentRequest, type PageFilters, type ReportDraft } from './report-draft.ts'
import { useScrollTo } from './use-scroll-to.ts'
import styles from './reports.module.css'

interface PreviewFile {
  blob: Blob
  address: string
  name: string
  /** HTML of a table in the message. */
  table: string | null
}

const isPdf = ({ blob }: PreviewFile): boolean => blob.type === 'application/pdf'

interface ReportPreviewProps {
  draft: ReportDraft
  stored: ReportDetail | null
  page: PageFilters | null
}

/** Draws the file that the report would send now: images and tables are shown here, PDFs open in a tab, other files are downloaded. */
export function ReportPreview({ draft, stored, page }: ReportPreviewProps) {
  const t = useTranslate()
  const [file, setFile] = useState<PreviewFile | null>(null)
  useEffect(() => () => void (file && URL.revokeObjectURL(file.address)), [file])
  const preview = useMutation({
    mutationFn: async () => {
      const body = toContentRequest(draft, { stored, page })
      const response = await api.send('POST', '/api/v1/report/preview', { body })
      const name = readServedName(response) ?? `${draft.name.trim() || 'report'}.html`
      return { blob: await response.blob(), name }
    },
    onSuccess: async ({ blob, name }) => {
      const table = blob.type.startsWith('text/html') ? await blob.text() : null
      const isShown = table !== null || blob.type.startsWith('image/') || blob.type === 'application/pdf'
      if (!isShown) saveBlob(blob, name)
      setFile({ blob, name, table, address: URL.createObjectURL(blob) })
    },
  })
  const missing =
    draft.format === 'NONE' ? t('reports.preview.none', 'This message has no file') : findMissingTarget(t, draft)
  const status = useScrollTo<HTMLDivElement>(file)
  return (
    <div className={styles.preview}>
      <div>
        <Button icon="eye" onClick={() => preview.mutate()} busy={preview.isPending} disabledReason={missing}>
          {t('reports.preview', 'Preview')}
        </Button>
      </div>
      {preview.error && !preview.isPending && <ErrorPanel inline>{messageOf(preview.error)}</ErrorPanel>}
      <div ref={status} role="status">
        {file && (
          <>
            {file.table === null ? (
              <p className={styles.file}>
                <a href={file.address} target="_blank" rel="noreferrer" download={isPdf(file) ? undefined : file.name}>
                  {isPdf(file)
                    ? t('reports.preview.open', 'Open {name}', { name: file.name })
                    : t('reports.preview.download', 'Download {name}', { name: file.name })}
                </a>{' '}
                <span className={styles.muted}>{formatFileSize(file.blob.size)}</span>
              </p>
            ) : (
              <iframe
                className={styles.table}
                sandbox=""
                srcDoc={file.table}
                title={t('reports.preview.alt', 'Preview of the report')}
              />
            )}
            {file.blob.type.startsWith('image/') && (
              <img
                className={styles.image}
                src={file.address}
                alt={t('reports.preview.alt', 'Preview of the report')}
              />
            )}
          </>
        )}
      </div>
    </div>
  )
}
