import { PageHeader, useText } from '@parquetry/ui'
import { useTitle } from '../shared/use-title.ts'

export function HomePage() {
  const t = useText()
  const title = t('home.title', 'Home')
  useTitle([title])
  return <PageHeader title={title} />
}
