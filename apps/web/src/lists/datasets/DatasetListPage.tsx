import { useNavigation, useText } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { addDataset, datasets } from '../pages.ts'
import { PropertiesDialog } from '../PropertiesDialog.tsx'
import { RowVersions } from '../RowVersions.tsx'
import { AddDatasetDialog } from './AddDatasetDialog.tsx'
import { datasetList } from './dataset-list.tsx'

export function DatasetListPage() {
  const t = useText()
  const definition = useMemo(() => datasetList(t), [t])
  const [editing, setEditing] = useState<number | null>(null)
  const [history, setHistory] = useState<number | null>(null)
  return (
    <ListPage
      page={datasets}
      definition={definition}
      onOpen={(dialog, id) => (dialog === 'versions' ? setHistory(id) : setEditing(id))}
    >
      {editing !== null && <PropertiesDialog kind="dataset" id={editing} onClose={() => setEditing(null)} />}
      {history !== null && <RowVersions kind="dataset" id={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}

/** The same list with the dialog over it, at its own address. */
export function AddDatasetPage() {
  const t = useText()
  const { go } = useNavigation()
  const definition = useMemo(() => datasetList(t), [t])
  return (
    <ListPage page={addDataset} definition={definition}>
      <AddDatasetDialog onClose={() => go('/tablemodelview/list/')} />
    </ListPage>
  )
}
