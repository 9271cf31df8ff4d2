import { ErrorPanel, ListTable, FavoriteButton, useTranslate } from '@parquetry/ui'
import { ApiError } from '@parquetry/client'
import { messageOf } from '../shared/errors.ts'
import type { ListDefinition, ListRow } from './definition.ts'
import { EmptyList } from './EmptyList.tsx'
import { ListCards } from './ListCards.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { RowBadges } from './RowBadges.tsx'
import { isFiltered } from './list-state.ts'
import type { ListPageState } from './use-list-page.ts'

interface ListBodyProps<Row extends ListRow> {
  definition: ListDefinition<Row>
  shown: ListPageState<Row>
  onOpen: ((dialog: string, id: number) => void) | undefined
}

/** The rows as a table or cards, or why there are none. */
export function ListBody<Row extends ListRow>({ definition, shown, onOpen }: ListBodyProps<Row>) {
  const t = useTranslate()
  const { nouns, nameOf, create } = definition
  const { state, change, clear, list, rows, info, favorites, phone, cards, selected, setSelected, menuOf } = shown
  const star = (row: Row) => (
    <FavoriteButton
      isFavorite={favorites.has(row.id)}
      name={nameOf(row)}
      onChange={(on) => favorites.set(row.id, on)}
    />
  )
  const marks = (row: Row) => <RowBadges definition={definition} row={row} />

  if (list.isPending) return <ListSkeleton cards={cards} columns={definition.columns.length} />
  if (list.error && !list.data)
    return (
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
  if (rows.length === 0)
    return (
      <EmptyList
        definition={definition as unknown as ListDefinition<ListRow>}
        state={state}
        filtered={isFiltered(state)}
        mayCreate={create !== undefined && info.may(create.permission)}
        onRemove={(name) => change({ [name]: null, pageIndex: null })}
        onClear={clear}
      />
    )
  if (cards)
    return (
      <ListCards
        definition={definition}
        rows={rows}
        selected={selected}
        onSelect={setSelected}
        {...(definition.hasFavorites && { star })}
        mark={marks}
        menu={menuOf}
        compact={phone}
      />
    )
  return (
    <ListTable
      label={nouns.title}
      rows={rows}
      rowKey={({ id }) => id}
      nameHeader={definition.nameHeader}
      nameOf={nameOf}
      hrefOf={definition.hrefOf}
      {...(definition.nameOrder !== undefined && { nameOrder: definition.nameOrder })}
      {...(definition.hasFavorites && { before: star })}
      after={marks}
      subtitle={definition.subtitle}
      columns={definition.columns}
      sort={state.sort}
      onSort={({ column, direction }) => change({ sortColumn: column, sortOrder: direction, pageIndex: null })}
      selected={selected}
      onSelect={setSelected}
      menu={menuOf}
      onPreview={definition.hasPreview ? ({ id }) => onOpen?.('preview', id) : undefined}
      actions={shown.rowActions}
      stale={list.isPlaceholderData}
    />
  )
}
