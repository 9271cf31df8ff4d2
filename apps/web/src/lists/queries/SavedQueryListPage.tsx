import { useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { ListPage } from '../ListPage.tsx'
import { savedQueries } from '../pages.ts'
import { savedQueryList } from './saved-query-list.tsx'
import { SavedQueryDrawer } from './SavedQueryDrawer.tsx'
import { usePreview } from './use-preview.ts'

export function SavedQueryListPage() {
  const t = useText()
  const definition = useMemo(() => savedQueryList(t), [t])
  const preview = usePreview(savedQueries)
  return (
    <ListPage page={savedQueries} definition={definition} onOpen={(_, id) => preview.open(id)}>
      {preview.id !== null && <SavedQueryDrawer key={preview.id} id={preview.id} onClose={preview.close} />}
    </ListPage>
  )
}
