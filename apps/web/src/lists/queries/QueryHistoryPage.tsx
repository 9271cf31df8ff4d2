import { useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { ListPage } from '../ListPage.tsx'
import { queryHistory } from '../pages.ts'
import { queryHistoryList } from './query-history.tsx'

export function QueryHistoryPage() {
  const t = useText()
  const definition = useMemo(() => queryHistoryList(t), [t])
  return <ListPage page={queryHistory} definition={definition} />
}
