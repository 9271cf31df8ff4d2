import { useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { ListPage } from '../ListPage.tsx'
import { savedQueries } from '../pages.ts'
import { savedQueryList } from './saved-query-list.tsx'

export function SavedQueryListPage() {
  const t = useText()
  const definition = useMemo(() => savedQueryList(t), [t])
  return <ListPage page={savedQueries} definition={definition} />
}
