import { writeClipboard } from '@parquetry/charts/views/grid/index'
import type { Column } from '@parquetry/frame'
import { toast, toastError, type MenuItem, type Translate } from '@parquetry/ui'
import type { LayoutChange } from './column-layout.ts'
import type { FilterOperator } from './row-view.ts'

export interface MenuTools {
  /** Copies the selection; without an argument, its kind decides about headers. */
  copy(withHeader?: boolean): void
  filter(operator: FilterOperator, value: string): void
  statistics(): void
}

const statisticsItem = (t: Translate, { statistics }: MenuTools): MenuItem => ({
  label: t('shared.grid.statistics', 'Column statistics'),
  icon: 'chart',
  onSelect: statistics,
})

const shortest = 24

/** Menu items for a cell. `text` is its value, null for null. */
export function cellMenu(t: Translate, text: string | null, tools: MenuTools, view: () => void): MenuItem[] {
  const { copy, filter } = tools
  const value = !text ? '""' : text.length <= shortest ? text : `${text.slice(0, shortest)}…`
  return [
    { label: t('shared.grid.copy', 'Copy'), icon: 'copy', shortcut: 'Mod+C', onSelect: () => copy() },
    { label: t('shared.grid.copyWithHeader', 'Copy with headers'), onSelect: () => copy(true) },
    { label: t('shared.grid.view', 'Show full value'), icon: 'expand', shortcut: 'Enter', onSelect: view },
    'divider',
    ...(text === null
      ? [
          {
            label: t('shared.grid.onlyNull', 'Only rows without a value'),
            icon: 'filter' as const,
            onSelect: () => filter('isNull', ''),
          },
          { label: t('shared.grid.notNull', 'Only rows with a value'), onSelect: () => filter('isNotNull', '') },
        ]
      : [
          {
            label: t('shared.grid.only', 'Only rows with {value}', { value }),
            icon: 'filter' as const,
            onSelect: () => filter('is', text),
          },
          {
            label: t('shared.grid.without', 'Exclude rows with {value}', { value }),
            onSelect: () => filter('isNot', text),
          },
        ]),
    'divider',
    statisticsItem(t, tools),
  ]
}

export interface HeadingTools {
  isPinned: boolean
  /** The time column is shown unformatted. Null for other columns. */
  isOriginal: boolean | null
  showOriginal(on: boolean): void
  /** Adjacent visible columns, by their index in the frame. */
  before: number | undefined
  after: number | undefined
  sort(descending: boolean): void
  change(change: Omitted<LayoutChange>): void
  select(): void
}
type Omitted<Change> = Change extends { column: number } ? Omit<Change, 'column'> : never

/** Menu items for a heading. */
export function headingMenu(t: Translate, column: Column, tools: MenuTools, heading: HeadingTools): MenuItem[] {
  const { isPinned, isOriginal, before, after, sort, change, select } = heading
  const isText = column.kind === 'string' || column.kind === 'json'
  const move = (to: number | undefined, label: string, shortcut: string, isAfter: boolean): MenuItem[] =>
    to === undefined ? [] : [{ label, shortcut, onSelect: () => change({ type: 'move', to, after: isAfter }) }]
  return [
    { label: t('shared.grid.ascending', 'Sort ascending'), icon: 'arrow-up', onSelect: () => sort(false) },
    { label: t('shared.grid.descending', 'Sort descending'), icon: 'arrow-down', onSelect: () => sort(true) },
    {
      label: t('shared.grid.filter', 'Filter…'),
      icon: 'filter',
      onSelect: () => tools.filter(isText ? 'contains' : 'is', ''),
    },
    statisticsItem(t, tools),
    ...(isOriginal === null
      ? []
      : [
          {
            label: isOriginal
              ? t('shared.grid.formatted', 'Show formatted time')
              : t('shared.grid.original', 'Show original value'),
            icon: 'clock' as const,
            onSelect: () => heading.showOriginal(!isOriginal),
          },
        ]),
    'divider',
    {
      label: isPinned ? t('shared.grid.unpin', 'Unpin') : t('shared.grid.pin', 'Pin to left'),
      icon: 'columns',
      onSelect: () => change({ type: 'pin', on: !isPinned }),
    },
    { label: t('shared.grid.hide', 'Hide'), icon: 'eye-off', onSelect: () => change({ type: 'hide' }) },
    ...move(before, t('shared.grid.moveLeft', 'Move left'), 'Alt+ArrowLeft', false),
    ...move(after, t('shared.grid.moveRight', 'Move right'), 'Alt+ArrowRight', true),
    'divider',
    { label: t('shared.grid.selectColumn', 'Select column'), shortcut: 'Mod+Space', onSelect: select },
    {
      label: t('shared.grid.copyName', 'Copy name'),
      icon: 'copy',
      onSelect: () =>
        void writeClipboard(column.name).then(
          () => toast(t('shared.grid.nameCopied', 'Name copied')),
          () => toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.')),
        ),
    },
  ]
}
