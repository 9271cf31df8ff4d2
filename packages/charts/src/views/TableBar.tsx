import { Pager, TextInput, useText } from '@parquetry/ui'
import styles from './table-bar.module.css'

export interface TableBarProps {
  hasSearch: boolean
  search: string
  onSearch: (text: string) => void
  /** From 0. */
  page: number
  /** 0: all rows stand on one page. */
  pageSize: number
  /** Rows on all pages. */
  count: number
  onPage: (page: number) => void
}

/** Search and pages above a table. */
export function TableBar({ hasSearch, search, onSearch, page, pageSize, count, onPage }: TableBarProps) {
  const t = useText()
  const words = t('charts.table.search', 'Search rows')
  return (
    <div className={styles.bar}>
      {hasSearch && (
        <TextInput icon="search" clearable aria-label={words} placeholder={words} value={search} onChange={onSearch} />
      )}
      {pageSize > 0 && (
        <span className={styles.pages}>
          <Pager page={page} pageSize={pageSize} count={count} onPage={onPage} />
        </span>
      )}
    </div>
  )
}
