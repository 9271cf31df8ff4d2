import { useTranslate } from '@parquetry/ui'
import { Suspense, useMemo } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { ListPage } from '../ListPage.tsx'
import { savedQueries } from '../pages.ts'
import { savedQueryList } from './saved-query-list.tsx'
import { usePreview } from './use-preview.ts'

const SavedQueryDrawer = lazyComponent(async () => (await import('./SavedQueryDrawer.tsx')).SavedQueryDrawer)

export function SavedQueryListPage() {
  const t = useTranslate()
  const definition = useMemo(() => savedQueryList(t), [t])
  const preview = usePreview(savedQueries)
  return (
    <ListPage page={savedQueries} definition={definition} onOpen={(_, id) => preview.open(id)}>
      <Suspense>
        {preview.id !== null && <SavedQueryDrawer key={preview.id} id={preview.id} onClose={preview.close} />}
      </Suspense>
    </ListPage>
  )
}
