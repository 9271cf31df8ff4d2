import type { DatasetDetail } from '@parquetry/model'
import { Button, ButtonLink, Drawer, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '../boot.ts'
import { messageOf } from '../errors.ts'
import { EditorActions, EditorBody, type EditorTab } from './EditorBody.tsx'
import { fetchDataset } from './read-dataset.ts'
import { useDatasetEditor } from './use-dataset-editor.ts'
import styles from './editor.module.css'

export interface EditDatasetDrawerProps {
  id: number
  onClose(): void
  /** The dataset has changed (DSET-041). */
  onSaved(): void
}

/** Dataset editor beside a view that uses the dataset. Saving closes it; clicking outside does not. */
export function EditDatasetDrawer({ id, onClose, onSaved }: EditDatasetDrawerProps) {
  const t = useTranslate()
  const detail = useQuery({
    queryKey: ['dataset', id, 'detail'],
    queryFn: ({ signal }) => fetchDataset(id, signal),
    gcTime: 0,
  })
  if (detail.data) return <Loaded detail={detail.data} onClose={onClose} onSaved={onSaved} />
  return (
    <Drawer open modal closeOnOutside={false} width={960} title={t('dataset.edit', 'Edit dataset')} onClose={onClose}>
      {detail.error ? (
        <ErrorPanel inline onRetry={() => void detail.refetch()}>
          {messageOf(detail.error)}
        </ErrorPanel>
      ) : (
        <Skeleton height={240} />
      )}
    </Drawer>
  )
}

function Loaded({ detail, onClose, onSaved }: { detail: DatasetDetail; onClose(): void; onSaved(): void }) {
  const t = useTranslate()
  const [tab, setTab] = useState<EditorTab>('columns')
  const editing = useDatasetEditor(detail, () => {
    onSaved()
    onClose()
  })
  const leave = (): void => void editing.confirmLeave().then((yes) => yes && onClose())
  return (
    <Drawer
      open
      modal
      closeOnOutside={false}
      width={960}
      title={t('dataset.editOne', 'Edit dataset {name}', { name: detail.table_name })}
      onClose={leave}
      footer={
        <>
          {boot.common.feature_flags['DISABLE_LEGACY_DATASOURCE_EDITOR'] === false && (
            <ButtonLink href={`/tablemodelview/edit/${detail.id}`}>
              {t('dataset.legacy', 'Use legacy datasource editor')}
            </ButtonLink>
          )}
          <Button onClick={leave}>{t('dataset.cancel', 'Cancel')}</Button>
          <EditorActions editing={editing} />
        </>
      }
    >
      <div className={styles.drawer}>
        <EditorBody editing={editing} tab={tab} onTab={setTab} />
      </div>
    </Drawer>
  )
}
