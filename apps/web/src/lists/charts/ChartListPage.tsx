import { useText } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { charts } from '../pages.ts'
import { PropertiesDialog } from '../../shared/PropertiesDialog.tsx'
import { chartList } from './chart-list.tsx'

export function ChartListPage() {
  const t = useText()
  const definition = useMemo(() => chartList(t), [t])
  const [editing, setEditing] = useState<number | null>(null)
  return (
    <ListPage page={charts} definition={definition} onOpen={(_, id) => setEditing(id)}>
      {editing !== null && <PropertiesDialog kind="chart" id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  )
}
