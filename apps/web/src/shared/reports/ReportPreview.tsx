import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import type { ReportDetail } from '@parquetry/model'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { buildFileName, saveBlob } from '../save-response.ts'
import { findMissingTarget } from './find-missing.ts'
import { toContentRequest, type PageFilters, type ReportDraft } from './report-draft.ts'
import styles from './reports.module.css'

interface PreviewFile {
  blob: Blob
  address: string
  name: string
}

interface ReportPreviewProps {
  draft: ReportDraft
  stored: ReportDetail | null
  page: PageFilters | null
}

/** Draws the file that the report would send now: images are shown here, PDFs open in a tab, other files are downloaded. */
export function ReportPreview({ draft, stored, page }: ReportPreviewProps) {
  const t = useTranslate()
  const [file, setFile] = useState<PreviewFile | null>(null)
  useEffect(() => () => void (file && URL.revokeObjectURL(file.address)), [file])
  const preview = useMutation({
    mutationFn: async () => {
      const body = toContentRequest(draft, { stored, page })
      const response = await api.send('POST', '/api/v1/report/preview', { body })
      const served = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
      const name = buildFileName(`${draft.name.trim() || 'report'}.${draft.format.toLowerCase()}`, served)
      return { blob: await response.blob(), name }
    },
    onSuccess: ({ blob, name }) => {
      const isShown = blob.type.startsWith('image/') || blob.type === 'application/pdf'
      if (!isShown) saveBlob(blob, name)
      setFile({ blob, name, address: URL.createObjectURL(blob) })
    },
  })
  const missing =
    draft.format === 'NONE' ? t('reports.preview.none', 'This message has no file') : findMissingTarget(t, draft)
  return (
    <div className={styles.preview}>
      <div>
        <Button icon="eye" onClick={() => preview.mutate()} busy={preview.isPending} disabledReason={missing}>
          {t('reports.preview', 'Preview')}
        </Button>
      </div>
      {preview.error && !preview.isPending && <ErrorPanel inline>{messageOf(preview.error)}</ErrorPanel>}
      <div role="status">
        {file && (
          <>
            <p className={styles.file}>
              <a href={file.address} target="_blank" rel="noreferrer">
                {t('reports.preview.open', 'Open {name}', { name: file.name })}
              </a>
            </p>
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
