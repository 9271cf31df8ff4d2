import { IconButton, Pager, Select, TextInput, useTranslate } from '@parquetry/ui'
import styles from './table-bar.module.css'

export interface TableBarProps {
  hasSearch: boolean
  search: string
  onSearch: (text: string) => void
  /** Zero-based page. */
  page: number
  /** 0 shows all rows on one page. */
  pageSize: number
  /** Number of rows on all pages. */
  count: number
  onPage: (page: number) => void
  /** Page sizes offered. */
  pageSizes?: readonly number[] | undefined
  onPageSize?: ((pageSize: number) => void) | undefined
  onCopy?: (() => void) | undefined
  /** Columns of which one is searched; all columns by default. */
  searched?: SearchedColumns | undefined
}

export interface SearchedColumns {
  columns: readonly { name: string; label: string }[]
  column: string
  onColumn: (name: string) => void
}

/** Search and pagination above a table. */
export function TableBar(props: TableBarProps) {
  const { hasSearch, search, onSearch, page, pageSize, count, onPage, pageSizes, onPageSize, onCopy, searched } = props
  const t = useTranslate()
  const words = t('charts.table.search', 'Search rows')
  return (
    <div className={styles.bar}>
      {hasSearch && (
        <span className={styles.search}>
          {searched && searched.columns.length > 1 && (
            <Select<string>
              aria-label={t('charts.table.searchedColumn', 'Column to search')}
              value={searched.column}
              options={searched.columns.map(({ name, label }) => ({ value: name, label }))}
              onChange={(name) => name && searched.onColumn(name)}
            />
          )}
          <TextInput
            icon="search"
            clearable
            aria-label={words}
            placeholder={words}
            value={search}
            onChange={onSearch}
          />
        </span>
      )}
      <span className={styles.pages}>
        {onCopy && <IconButton icon="copy" label={t('charts.table.copy', 'Copy all rows')} onClick={onCopy} />}
        {pageSize > 0 && (
          <Pager
            page={page}
            pageSize={pageSize}
            count={count}
            onPage={onPage}
            {...(pageSizes && { pageSizes })}
            {...(onPageSize && { onPageSize })}
          />
        )}
      </span>
    </div>
  )
}
