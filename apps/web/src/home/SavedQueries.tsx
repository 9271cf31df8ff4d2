import { Icon, Link, useTranslate } from '@parquetry/ui'
import { messageOf } from '../shared/errors.ts'
import { useList } from '../shared/use-resource.ts'
import { HomeSection } from './HomeSection.tsx'
import { cardsPerSection } from './home-items.ts'
import styles from './home.module.css'

export function SavedQueries() {
  const t = useTranslate()
  const list = useList('saved_query', {
    columns: ['id', 'label', 'database.database_name', 'changed_on_delta_humanized'],
    order_column: 'changed_on_delta_humanized',
    order_direction: 'desc',
    page: 0,
    page_size: cardsPerSection,
  })
  const rows = list.data?.result
  return (
    <HomeSection
      name="queries"
      title={t('home.queries', 'Saved queries')}
      allHref="/savedqueryview/list/"
      error={list.error && !list.data ? { text: messageOf(list.error), retry: () => void list.refetch() } : null}
    >
      {rows?.length === 0 && (
        <p className={styles.empty}>{t('home.queries.none', 'No saved queries yet. Save one from SQL Lab.')}</p>
      )}
      <ul className={styles.queries}>
        {rows?.map(({ id, label, database, changed_on_delta_humanized }) => (
          <li key={id}>
            <Link href={`/superset/sqllab/?savedQueryId=${id}`} className={styles.query}>
              <Icon name="query" />
              <span className={styles.queryName}>{label || t('lists.queries.untitled', '[ untitled query ]')}</span>
              <span className={styles.muted}>{database?.database_name}</span>
              <span className={styles.muted}>{changed_on_delta_humanized}</span>
            </Link>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
