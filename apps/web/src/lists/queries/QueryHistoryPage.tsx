import { useTranslate } from '@parquetry/ui'
import { Suspense, useMemo } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { ListPage } from '../ListPage.tsx'
import { queryHistory } from '../pages.ts'
import { queryHistoryList } from './query-history.tsx'
import { usePreview } from './use-preview.ts'

const QueryDrawer = lazyComponent(async () => (await import('./QueryDrawer.tsx')).QueryDrawer)

export function QueryHistoryPage() {
  const t = useTranslate()
  const definition = useMemo(() => queryHistoryList(t), [t])
  const preview = usePreview(queryHistory)
  return (
    <ListPage page={queryHistory} definition={definition} onOpen={(_, id) => preview.open(id)}>
      <Suspense>
        {preview.id !== null && <QueryDrawer key={preview.id} id={preview.id} onClose={preview.close} />}
      </Suspense>
    </ListPage>
  )
}
