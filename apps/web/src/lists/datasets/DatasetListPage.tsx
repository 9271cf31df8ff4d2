import { useNavigation, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { addDataset, datasets } from '../pages.ts'
import { RowVersions } from '../RowVersions.tsx'
import { AddDatasetDialog } from './AddDatasetDialog.tsx'
import { datasetList } from './dataset-list.tsx'
import { DuplicateDialog } from './DuplicateDialog.tsx'

export function DatasetListPage() {
  const t = useTranslate()
  const { go } = useNavigation()
  const definition = useMemo(() => datasetList(t), [t])
  const [copying, setCopying] = useState<number | null>(null)
  const [history, setHistory] = useState<number | null>(null)
  return (
    <ListPage
      page={datasets}
      definition={definition}
      onOpen={(action, id) =>
        action === 'versions' ? setHistory(id) : action === 'duplicate' ? setCopying(id) : go(`/dataset/${id}`)
      }
    >
      {copying !== null && <DuplicateDialog id={copying} onClose={() => setCopying(null)} />}
      {history !== null && <RowVersions kind="dataset" id={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}

/** The dataset list with the dialog open, at its own address. */
export function AddDatasetPage() {
  const t = useTranslate()
  const { go } = useNavigation()
  const definition = useMemo(() => datasetList(t), [t])
  return (
    <ListPage page={addDataset} definition={definition} onOpen={(_, id) => go(`/dataset/${id}`)}>
      <AddDatasetDialog onClose={() => go('/tablemodelview/list/')} />
    </ListPage>
  )
}
