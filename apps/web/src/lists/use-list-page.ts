import { encodeRison } from '@parquetry/model/encode-rison'
import { toastError, useCopy, useNavigation, useTranslate, type MenuItem, type RowAction } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePage, type Page, type RawSearch } from '../shared/page.ts'
import { useFavorites } from '../shared/use-favorites.ts'
import { useMediaQuery } from '../shared/use-media-query.ts'
import { rowsOptions, useRows } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { idsPerCall, type ListDefinition, type ListRow } from './definition.ts'
import { buildListQuery, readListState } from './list-state.ts'
import { useDelete } from './use-delete.ts'
import { useResourcePermissions } from './use-resource-permissions.ts'

export type ListPageState<Row extends ListRow> = ReturnType<typeof useListPage<Row>>

const viewKey = (resource: string): string => `parquetry.listView.${resource}`

/** State of a list page: rows, selection and actions, as defined by the address. */
export function useListPage<Row extends ListRow>(
  page: Page<RawSearch>,
  definition: ListDefinition<Row>,
  onOpen: ((dialog: string, id: number) => void) | undefined,
) {
  const t = useTranslate()
  const copy = useCopy()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const { search: raw, setSearch } = usePage(page)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [selectingAll, setSelectingAll] = useState(false)
  const { resource, nouns, canDelete = () => true } = definition
  useTitle([nouns.title])

  const state = readListState(raw, definition as unknown as ListDefinition<ListRow>)
  const query = buildListQuery(state, definition as unknown as ListDefinition<ListRow>)
  const list = useRows<Row>(resource, query, true, definition.source)
  const info = useResourcePermissions(resource, definition.view, nouns.one)
  const fetchFailure = list.error ? definition.failures?.fetch : undefined
  useEffect(() => {
    if (fetchFailure !== undefined) toastError(fetchFailure)
  }, [fetchFailure])
  const rows = list.data?.result ?? []
  const count = list.data?.count ?? 0
  const favorites = useFavorites(
    resource === 'chart' ? 'chart' : 'dashboard',
    definition.hasFavorites ? rows.map(({ id }) => id) : [],
  )
  const deletion = useDelete(definition)
  const phone = useMediaQuery('(max-width: 767.98px)')
  const prefersCards = localStorage.getItem(viewKey(resource)) === 'card'
  const cards = phone || (definition.hasCards === true && (state.cards ?? prefersCards))

  const { removePermission = 'can_write' } = definition
  const mayRemove = removePermission !== null && info.may(removePermission)
  const exportPermissions = definition.exportPermission
    ? [definition.exportPermission]
    : ['can_export', 'can_mulexport']
  const mayExport = definition.hasExport === true && exportPermissions.some(info.may)
  // A download, which does not leave the page.
  const exportThem = (ids: Iterable<number>) =>
    location.assign(`/api/v1/${resource}/export/?q=${encodeRison([...ids])}`)
  const remove = async (chosen: Row[]): Promise<void> => {
    if (!(await deletion.confirmAndDelete(chosen))) return
    setSelected(new Set([...selected].filter((id) => !chosen.some((row) => row.id === id))))
  }
  const selectAll = async (): Promise<void> => {
    setSelectingAll(true)
    const ids: number[] = []
    for (let index = 0; index * idsPerCall < count; index++) {
      const q = { ...query, columns: ['id'], page: index, page_size: idsPerCall }
      const { result } = await queries.fetchQuery(rowsOptions<Row>(resource, q, definition.source))
      ids.push(...result.map(({ id }) => id))
    }
    setSelected(new Set(ids))
    setSelectingAll(false)
  }
  const removeSelected = async (): Promise<void> => {
    const shown = rows.filter(({ id }) => selected.has(id))
    const missing = [...selected].filter((id) => !shown.some((row) => row.id === id))
    const others: Row[] = []
    for (let index = 0; index < missing.length; index += idsPerCall) {
      const filters = [{ col: 'id', opr: 'in', value: missing.slice(index, index + idsPerCall) }]
      const q = { columns: [...definition.fields], filters, page: 0, page_size: idsPerCall }
      others.push(...(await queries.fetchQuery(rowsOptions<Row>(resource, q, definition.source))).result)
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
    ...(mayRemove && canDelete(row)
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
            label: t('lists.key.star', 'Toggle favorite'),
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
    ...(mayRemove
      ? [
          {
            id: 'list.delete',
            label: t('lists.key.delete', 'Delete row'),
            shortcut: 'Delete',
            run: (row: Row) => void (canDelete(row) && remove([row])),
          },
        ]
      : []),
  ]
  return {
    state,
    /** Changes the address, and thereby the list. */
    change: setSearch,
    clear: (): void =>
      setSearch({
        q: null,
        pageIndex: null,
        ...Object.fromEntries(definition.filters.map(({ name }) => [name, null])),
      }),
    list,
    rows,
    count,
    info,
    mayWrite: info.may('can_write'),
    mayRemove,
    mayExport,
    favorites,
    phone,
    /** True to show cards instead of a table. */
    cards,
    keepCards: (next: boolean): void => {
      localStorage.setItem(viewKey(resource), next ? 'card' : 'table')
      setSearch({ viewMode: next ? 'card' : 'table' }, { replace: true })
    },
    selected,
    setSelected,
    selectAll,
    removeSelected,
    exportThem,
    isBusy: deletion.busy || selectingAll,
    menuOf,
    rowActions,
  }
}
