import {
  Button,
  ButtonLink,
  IconButton,
  PageHeader,
  Pager,
  ProgressLine,
  Banner,
  useTranslate,
  type Crumb,
} from '@parquetry/ui'
import type { ReactNode } from 'react'
import { messageOf } from '../shared/errors.ts'
import { formatNumber } from '../shared/formats.ts'
import { openImport } from '../shared/import.ts'
import type { ImportKind } from '../shared/import-permissions.ts'
import type { Page, RawSearch } from '../shared/page.ts'
import type { ListDefinition, ListRow } from './definition.ts'
import { ListBody } from './ListBody.tsx'
import { ListFilters } from './ListFilters.tsx'
import { defaultPageSize } from './list-state.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { useListPage } from './use-list-page.ts'
import styles from './lists.module.css'

export interface ListPageProps<Row extends ListRow> {
  page: Page<RawSearch>
  definition: ListDefinition<Row>
  /** Links to the parent pages. */
  crumbs?: readonly Crumb[]
  /** Note about the parent object. */
  note?: string | null
  /** Tabs above the filters. */
  tabs?: ReactNode
  /** Buttons beside "create". */
  actions?: ReactNode
  /** Dialogs of this list, over the page. */
  children?: ReactNode
  onOpen?: (dialog: string, id: number) => void
}

/** Longer lists must be filtered first, so that users see what a bulk action affects. */
const maxSelected = 1000

/** The list page of all resources. The server searches, sorts, filters and paginates; the address holds the state. */
export function ListPage<Row extends ListRow>({
  page,
  definition,
  crumbs = [],
  note,
  tabs,
  actions,
  children,
  onOpen,
}: ListPageProps<Row>) {
  const t = useTranslate()
  const { resource, nouns, create } = definition
  const shown = useListPage(page, definition, onOpen)
  const { state, change, list, rows, count, info, mayWrite, mayRemove, mayExport, selected, setSelected } = shown

  return (
    <div className={styles.page}>
      <PageHeader
        title={nouns.title}
        crumbs={crumbs}
        marks={list.data && <span className={styles.count}>{formatNumber(count)}</span>}
        actions={
          <>
            {actions}
            {definition.imports && mayWrite && <ImportButton kind={definition.imports} isShort={shown.phone} />}
            {create && info.may(create.permission) && (
              <ButtonLink variant="primary" icon="plus" href={create.href}>
                {create.label}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={styles.content}>
        {note && <p className={styles.note}>{note}</p>}
        {tabs}
        <ListFilters
          resource={resource}
          filters={definition.filters}
          searchLabel={definition.searchLabel}
          state={state}
          cards={shown.cards}
          onText={(text) => change({ q: text, pageIndex: null }, { replace: true })}
          onFilter={(name, value) => change({ [name]: value, pageIndex: null })}
          onCards={definition.hasCards && !shown.phone ? shown.keepCards : undefined}
        />
        <p role="status" className="visually-hidden">
          {list.data && !list.isPlaceholderData
            ? t('lists.announce', '{shown, number} of {count, number}', { shown: rows.length, count })
            : ''}
        </p>
        {list.error && list.data && (
          <Banner
            inline
            tone="warning"
            action={<Button onClick={() => void list.refetch()}>{t('lists.retry', 'Try again')}</Button>}
          >
            {t('lists.fetchFailed', 'An error occurred while fetching {nouns}: {message}', {
              nouns: nouns.many,
              message: messageOf(list.error),
            })}
          </Banner>
        )}
        <div className={styles.region} aria-busy={list.isFetching || undefined}>
          {list.isPlaceholderData && (
            <div className={styles.progress}>
              <ProgressLine label={t('lists.loading', 'Loading')} />
            </div>
          )}
          <ListBody definition={definition} shown={shown} onOpen={onOpen} />
        </div>
        {(selected.size > 0 || count > defaultPageSize) && (
          <div className={styles.foot}>
            {selected.size > 0 && (
              <SelectionBar
                selected={selected.size}
                count={count}
                mayAll={count <= maxSelected && rows.every(({ id }) => selected.has(id))}
                busy={shown.isBusy}
                onAll={() => void shown.selectAll()}
                onNone={() => setSelected(new Set())}
                onExport={mayExport ? () => shown.exportThem(selected) : undefined}
                onDelete={mayRemove ? () => void shown.removeSelected() : undefined}
              />
            )}
            <Pager
              page={state.page}
              pageSize={state.pageSize}
              count={count}
              onPage={(next) => {
                change({ pageIndex: next || null })
                scrollTo({ top: 0 })
              }}
              onPageSize={(size) => change({ pageSize: size, pageIndex: null })}
            />
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

/** @param isShort  without its word, which leaves no room for the title on phones */
function ImportButton({ kind, isShort }: { kind: ImportKind; isShort: boolean }) {
  const t = useTranslate()
  const label = t('lists.import.action', 'Import')
  const open = (): void => openImport({ list: kind, file: null })
  return isShort ? (
    <IconButton icon="upload" variant="secondary" label={label} onClick={open} />
  ) : (
    <Button icon="upload" onClick={open}>
      {label}
    </Button>
  )
}
