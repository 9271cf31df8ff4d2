import {
  ButtonLink,
  Button,
  Certified,
  ErrorPanel,
  ListTable,
  PageHeader,
  Pager,
  ProgressLine,
  Star,
  Strip,
  useCopy,
  useNavigation,
  useText,
  type MenuItem,
  type RowAction,
} from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { encodeRison } from '@parquetry/model/rison'
import { Suspense, useState, type ReactNode } from 'react'
import { ApiError, messageOf } from '../shared/errors.ts'
import { lazyPart } from '../shared/lazy-part.ts'
import { usePage, type Page, type RawSearch } from '../shared/page.ts'
import { useMedia } from '../shared/use-media.ts'
import { listOptions, useList } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { idsPerCall, type ListDefinition, type ListRow } from './definition.ts'
import { ListCards } from './ListCards.tsx'
import { EmptyList } from './EmptyList.tsx'
import { ListFilters } from './ListFilters.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { defaultPageSize, isFiltered, listQuery, readListState } from './list-state.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { useDelete } from './use-delete.ts'
import { useFavorites } from '../shared/use-favorites.ts'
import { useInfo } from './use-info.ts'
import styles from './lists.module.css'

const ImportDialog = lazyPart(async () => (await import('./import/ImportDialog.tsx')).ImportDialog)

export interface ListPageProps<Row extends ListRow> {
  page: Page<RawSearch>
  definition: ListDefinition<Row>
  /** Buttons beside "create". */
  actions?: ReactNode
  /** Dialogs of this list, over the page. */
  children?: ReactNode
  onOpen?: (dialog: string, id: number) => void
}

/** Larger lists are narrowed first: what is done to all of them must be seen before. */
const mostSelected = 1000
const viewKey = (resource: string): string => `parquetry.listView.${resource}`

/** The one list page: search, sort, filters and pages are the server's and stand in the address. */
export function ListPage<Row extends ListRow>({ page, definition, actions, children, onOpen }: ListPageProps<Row>) {
  const t = useText()
  const copy = useCopy()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const { search: raw, setSearch } = usePage(page)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [selectingAll, setSelectingAll] = useState(false)
  const [importing, setImporting] = useState(false)
  const { resource, nouns, nameOf, create, canDelete = () => true } = definition
  useTitle([nouns.title])

  const state = readListState(raw, definition as unknown as ListDefinition<ListRow>)
  const query = listQuery(state, definition as unknown as ListDefinition<ListRow>)
  const list = useList<Row>(resource, query)
  const info = useInfo(resource, definition.view, nouns.one, definition.hasInfo ?? true)
  const rows = list.data?.result ?? []
  const count = list.data?.count ?? 0
  const favorites = useFavorites(
    resource === 'chart' ? 'chart' : 'dashboard',
    definition.hasFavorites ? rows.map(({ id }) => id) : [],
  )
  const deletion = useDelete(definition)
  const phone = useMedia('(max-width: 767.98px)')
  const kept = localStorage.getItem(viewKey(resource)) === 'card'
  const cards = phone || (definition.hasCards === true && (state.cards ?? kept))

  const mayWrite = info.may('can_write')
  const mayExport = definition.hasExport === true && info.may('can_export')
  // A file: the page stays.
  const exportThem = (ids: Iterable<number>) =>
    location.assign(`/api/v1/${resource}/export/?q=${encodeRison([...ids])}`)
  const remove = async (chosen: Row[]): Promise<void> => {
    if (!(await deletion.ask(chosen))) return
    setSelected(new Set([...selected].filter((id) => !chosen.some((row) => row.id === id))))
  }
  const selectAll = async (): Promise<void> => {
    setSelectingAll(true)
    const ids: number[] = []
    for (let at = 0; at * idsPerCall < count; at++) {
      const q = { ...query, columns: ['id'], page: at, page_size: idsPerCall }
      const { result } = await queries.fetchQuery(listOptions<ListRow>(resource, q))
      ids.push(...result.map(({ id }) => id))
    }
    setSelected(new Set(ids))
    setSelectingAll(false)
  }
  const removeSelected = async (): Promise<void> => {
    const shown = rows.filter(({ id }) => selected.has(id))
    const missing = [...selected].filter((id) => !shown.some((row) => row.id === id))
    const others: Row[] = []
    for (let at = 0; at < missing.length; at += idsPerCall) {
      const filters = [{ col: 'id', opr: 'in', value: missing.slice(at, at + idsPerCall) }]
      const q = { columns: definition.fields, filters, page: 0, page_size: idsPerCall }
      others.push(...(await queries.fetchQuery(listOptions<Row>(resource, q))).result)
    }
    await remove([...shown, ...others])
  }

  const menuOf = (row: Row): MenuItem[] => [
    ...(definition.menu?.(row, {
      t,
      go,
      open: (dialog, id) => onOpen?.(dialog, id),
      refresh: () => void queries.invalidateQueries({ queryKey: [resource] }),
    }) ?? []),
    ...(mayExport
      ? [{ label: t('lists.export', 'Export'), icon: 'download' as const, onSelect: () => exportThem([row.id]) }]
      : []),
    {
      label: t('lists.copyLink', 'Copy link'),
      icon: 'link',
      onSelect: () =>
        copy(new URL(definition.hrefOf(row), location.origin).href, t('lists.linkCopied', 'Link Copied!')),
    },
    ...(mayWrite && canDelete(row)
      ? ([
          'divider',
          { label: t('lists.delete', 'Delete'), icon: 'trash', danger: true, onSelect: () => void remove([row]) },
        ] satisfies MenuItem[])
      : []),
  ]
  const rowActions: RowAction<Row>[] = [
    ...(definition.hasFavorites
      ? [
          {
            id: 'list.star',
            label: t('lists.key.star', 'Star the row'),
            shortcut: 'S',
            run: ({ id }: Row) => favorites.set(id, !favorites.has(id)),
          },
        ]
      : []),
    ...(definition.edit
      ? [
          {
            id: 'list.edit',
            label: definition.edit.label,
            shortcut: 'E',
            run: (row: Row) => {
              if (!definition.edit?.mayEdit(row)) return
              const href = definition.edit.hrefOf?.(row)
              if (href) go(href)
              else onOpen?.('edit', row.id)
            },
          },
        ]
      : []),
    ...(mayWrite
      ? [
          {
            id: 'list.delete',
            label: t('lists.key.delete', 'Delete the row'),
            shortcut: 'Delete',
            run: (row: Row) => void (canDelete(row) && remove([row])),
          },
        ]
      : []),
  ]
  const star = (row: Row) => (
    <Star on={favorites.has(row.id)} name={nameOf(row)} onChange={(on) => favorites.set(row.id, on)} />
  )
  const certified = (row: Row) => {
    const mark = definition.certified?.(row)
    return mark && <Certified by={mark.by} details={mark.details} />
  }
  const clear = () =>
    setSearch({ q: null, pageIndex: null, ...Object.fromEntries(definition.filters.map(({ name }) => [name, null])) })

  let body: ReactNode
  if (list.isPending) body = <ListSkeleton cards={cards} columns={definition.columns.length} />
  else if (list.error && !list.data)
    body = (
      <ErrorPanel
        onRetry={() => void list.refetch()}
        accessHref={list.error instanceof ApiError ? list.error.accessHref : undefined}
      >
        {t('lists.fetchFailed', 'An error occurred while fetching {nouns}: {message}', {
          nouns: nouns.many,
          message: messageOf(list.error),
        })}
      </ErrorPanel>
    )
  else if (rows.length === 0)
    body = (
      <EmptyList
        definition={definition as unknown as ListDefinition<ListRow>}
        state={state}
        filtered={isFiltered(state)}
        mayCreate={create !== undefined && info.may(create.permission)}
        onRemove={(name) => setSearch({ [name]: null, pageIndex: null })}
        onClear={clear}
      />
    )
  else if (cards)
    body = (
      <ListCards
        definition={definition}
        rows={rows}
        selected={selected}
        onSelect={setSelected}
        {...(definition.hasFavorites && { star })}
        mark={certified}
        menu={menuOf}
        compact={phone}
      />
    )
  else
    body = (
      <ListTable
        label={nouns.title}
        rows={rows}
        rowKey={({ id }) => id}
        nameHeader={definition.nameHeader}
        nameOf={nameOf}
        hrefOf={definition.hrefOf}
        {...(definition.nameOrder !== undefined && { nameOrder: definition.nameOrder })}
        {...(definition.hasFavorites && { before: star })}
        after={certified}
        second={definition.second}
        columns={definition.columns}
        sort={state.sort}
        onSort={({ column, direction }) => setSearch({ sortColumn: column, sortOrder: direction, pageIndex: null })}
        selected={selected}
        onSelect={setSelected}
        menu={menuOf}
        onPreview={definition.hasPreview ? ({ id }) => onOpen?.('preview', id) : undefined}
        actions={rowActions}
        stale={list.isPlaceholderData}
      />
    )

  return (
    <div className={styles.page}>
      <PageHeader
        title={nouns.title}
        marks={list.data && <span className={styles.count}>{count.toLocaleString()}</span>}
        actions={
          <>
            {actions}
            {definition.hasImport && mayWrite && (
              <Button icon="upload" onClick={() => setImporting(true)}>
                {t('lists.import.action', 'Import')}
              </Button>
            )}
            {create && info.may(create.permission) && (
              <ButtonLink variant="primary" icon="plus" href={create.href}>
                {create.label}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={styles.content}>
        <ListFilters
          resource={resource}
          filters={definition.filters}
          searchLabel={definition.searchLabel}
          state={state}
          cards={cards}
          onText={(text) => setSearch({ q: text, pageIndex: null }, { replace: true })}
          onFilter={(name, value) => setSearch({ [name]: value, pageIndex: null })}
          onCards={
            definition.hasCards && !phone
              ? (next) => {
                  localStorage.setItem(viewKey(resource), next ? 'card' : 'table')
                  setSearch({ viewMode: next ? 'card' : 'table' }, { replace: true })
                }
              : undefined
          }
        />
        <p role="status" className="visually-hidden">
          {list.data && !list.isPlaceholderData
            ? t('lists.announce', '{shown, number} of {count, number}', { shown: rows.length, count })
            : ''}
        </p>
        {list.error && list.data && (
          <Strip
            banner
            tone="warning"
            action={<Button onClick={() => void list.refetch()}>{t('lists.retry', 'Try again')}</Button>}
          >
            {t('lists.fetchFailed', 'An error occurred while fetching {nouns}: {message}', {
              nouns: nouns.many,
              message: messageOf(list.error),
            })}
          </Strip>
        )}
        <div className={styles.region} aria-busy={list.isFetching || undefined}>
          {list.isPlaceholderData && (
            <div className={styles.progress}>
              <ProgressLine label={t('lists.loading', 'Loading')} />
            </div>
          )}
          {body}
        </div>
        {(selected.size > 0 || count > defaultPageSize) && (
          <div className={styles.foot}>
            {selected.size > 0 && (
              <SelectionBar
                selected={selected.size}
                count={count}
                mayAll={count <= mostSelected && rows.every(({ id }) => selected.has(id))}
                busy={deletion.busy || selectingAll}
                onAll={() => void selectAll()}
                onNone={() => setSelected(new Set())}
                onExport={mayExport ? () => exportThem(selected) : undefined}
                onDelete={mayWrite ? () => void removeSelected() : undefined}
              />
            )}
            <Pager
              page={state.page}
              pageSize={state.pageSize}
              count={count}
              onPage={(next) => {
                setSearch({ pageIndex: next || null })
                scrollTo({ top: 0 })
              }}
              onPageSize={(size) => setSearch({ pageSize: size, pageIndex: null })}
            />
          </div>
        )}
      </div>
      {importing && (
        <Suspense>
          <ImportDialog resource={resource} nouns={nouns} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {children}
    </div>
  )
}
