import { useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { charts } from '../pages.ts'
import { PropertiesDialog } from '../../shared/PropertiesDialog.tsx'
import { RowVersions } from '../RowVersions.tsx'
import { chartList } from './chart-list.tsx'

export function ChartListPage() {
  const t = useTranslate()
  const definition = useMemo(() => chartList(t), [t])
  const [editing, setEditing] = useState<number | null>(null)
  const [history, setHistory] = useState<number | null>(null)
  return (
    <ListPage
      page={charts}
      definition={definition}
      onOpen={(dialog, id) => (dialog === 'versions' ? setHistory(id) : setEditing(id))}
    >
      {editing !== null && <PropertiesDialog kind="chart" id={editing} onClose={() => setEditing(null)} />}
      {history !== null && <RowVersions kind="chart" id={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}
