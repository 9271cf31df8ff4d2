import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { IconButton } from '../buttons/IconButton.tsx'
import { useCommand } from '../commands/registry.ts'
import { Checkbox } from '../fields/choices.tsx'
import { Icon } from '../icons/Icon.tsx'
import { Menu, type MenuItem } from '../overlays/Menu.tsx'
import { Link } from '../theme/navigation.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { selectRange } from './select-range.ts'
import styles from './ListTable.module.css'

export interface ListColumn<Row> {
  id: string
  header: string
  cell(row: Row): ReactNode
  /** Order column of the list; without it the header is not sortable. */
  order?: string
  width?: string
  align?: 'end'
  /** Hides the column below this window width; its content moves to the second line of the row. */
  hideUnder?: 576 | 768 | 992 | 1200
}

export interface ListSort {
  column: string
  direction: 'asc' | 'desc'
}

export interface RowAction<Row> {
  id: string
  label: string
  /** A single key for the focused row. */
  shortcut: string
  run(row: Row): void
}

export interface ListTableProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey(row: Row): number
  nameHeader: string
  /** The row's name, which links to it. */
  nameOf(row: Row): string
  hrefOf(row: Row): string
  /** Order column for the names. */
  nameOrder?: string
  /** Content before and after the name: star, certified badge. */
  before?: (row: Row) => ReactNode
  after?: (row: Row) => ReactNode
  /** Small second line under the name. */
  subtitle?: (row: Row) => ReactNode
  columns: readonly ListColumn<Row>[]
  sort: ListSort
  onSort(sort: ListSort): void
  selected: ReadonlySet<number>
  onSelect(ids: ReadonlySet<number>): void
  menu?: (row: Row) => MenuItem[]
  /** Action of Space on a row; by default Space selects. Shift-Space always selects. */
  onPreview?: ((row: Row) => void) | undefined
  actions?: readonly RowAction<Row>[]
  /** The rows belong to a previous query while a new one is running. */
  stale?: boolean
}

/**
 * The standard table for lists: a real table with names as links. J, K and the arrows move between the names, Enter opens, Space
 * selects, Shift-arrows select a range, Ctrl-A selects the page; single keys of `actions` act on the focused row.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, rows, rowKey, nameOf, columns, selected, onSelect, menu, actions = [], stale } = props
  const t = useTranslate()
  const body = useRef<HTMLTableSectionElement>(null)
  const anchor = useRef<number | null>(null)

  const links = (): HTMLAnchorElement[] => [...(body.current?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])]
  const focusedIndex = (): number =>
    links().findIndex((link) => link.closest('tr')?.contains(document.activeElement) ?? false)
  const focusRow = (index: number): void => links()[Math.max(0, Math.min(rows.length - 1, index))]?.focus()
  const focusedRow = (): Row | undefined => rows[focusedIndex()]

  const toggle = (row: Row, range: boolean): void => {
    const id = rowKey(row)
    const next = new Set(selected)
    const between = range ? selectRange(rows.map(rowKey), anchor.current, id) : [id]
    const on = range || !selected.has(id)
    for (const one of between)
      if (on) next.add(one)
      else next.delete(one)
    anchor.current = id
    onSelect(next)
  }
  const step = (by: number) => () => focusRow(focusedIndex() + by)

  useCommand({
    id: 'list.next',
    label: t('ui.list.next', 'Next row'),
    shortcut: 'J',
    group: 'list',
    hidden: true,
    run: step(1),
  })
  useCommand({
    id: 'list.previous',
    label: t('ui.list.previous', 'Previous row'),
    shortcut: 'K',
    group: 'list',
    hidden: true,
    run: step(-1),
  })
  useCommand({
    id: 'list.all',
    label: t('ui.list.selectPage', 'Select all rows on this page'),
    shortcut: 'Mod+A',
    group: 'list',
    hidden: true,
    run: () => onSelect(new Set(rows.map(rowKey))),
  })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = focusedIndex()
    const row = rows[at]
    if (!row || !(event.target instanceof HTMLAnchorElement)) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = rows[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (event.shiftKey && to) {
        const next = new Set(selected)
        next.add(rowKey(row)).add(rowKey(to))
        onSelect(next)
      }
      focusRow(at + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === ' ' && props.onPreview && !event.shiftKey) props.onPreview(row)
    else if (event.key === ' ') toggle(row, event.shiftKey && !props.onPreview)
    else return
    event.preventDefault()
  }

  const allSelected = rows.length > 0 && rows.every((row) => selected.has(rowKey(row)))
  return (
    <div className={styles.scroller}>
      {actions.map((action) => (
        <RowCommand key={action.id} action={action} focusedRow={focusedRow} />
      ))}
      <table className={styles.table} aria-label={label} data-stale={stale || undefined}>
        <thead>
          <tr>
            <th className={styles.select} scope="col">
              <Checkbox
                checked={allSelected}
                mixed={!allSelected && rows.some((row) => selected.has(rowKey(row)))}
                aria-label={t('ui.list.selectPage', 'Select all rows on this page')}
                onChange={(on) => onSelect(new Set(on ? rows.map(rowKey) : []))}
              />
            </th>
            <Header
              sort={props.sort}
              onSort={props.onSort}
              column={{ id: 'name', header: props.nameHeader, order: props.nameOrder }}
            />
            {columns.map((column) => (
              <Header key={column.id} sort={props.sort} onSort={props.onSort} column={column} />
            ))}
            {menu && (
              <th className={styles.menu} scope="col">
                <span className="visually-hidden">{t('ui.list.actions', 'Actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => {
            const id = rowKey(row)
            const name = nameOf(row)
            return (
              <tr
                key={id}
                className={styles.row}
                aria-selected={selected.has(id) || undefined}
                data-selected={selected.has(id) || undefined}
              >
                <td className={styles.select}>
                  <Checkbox
                    checked={selected.has(id)}
                    aria-label={t('ui.list.select', 'Select {name}', { name })}
                    onClick={(event) => {
                      event.stopPropagation()
                      toggle(row, event.shiftKey)
                    }}
                    onChange={() => {}}
                  />
                </td>
                <td className={styles.name}>
                  <span className={styles.nameLine}>
                    {props.before?.(row)}
                    <Link data-row href={props.hrefOf(row)} className={styles.link} title={name}>
                      {name}
                    </Link>
                    {props.after?.(row)}
                  </span>
                  {props.subtitle && (
                    <span className={styles.second} data-indented={props.before !== undefined || undefined}>
                      {props.subtitle(row)}
                    </span>
                  )}
                </td>
                {columns.map((column) => (
                  <td
                    key={column.id}
                    data-hide={column.hideUnder}
                    className={column.align === 'end' ? styles.end : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
                {menu && (
                  <td className={styles.menu}>
                    <Menu items={menu(row)} label={t('ui.list.rowActions', 'Actions for {name}', { name })} align="end">
                      <IconButton icon="more" label={t('ui.list.rowActions', 'Actions for {name}', { name })} />
                    </Menu>
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function RowCommand<Row>({ action, focusedRow }: { action: RowAction<Row>; focusedRow: () => Row | undefined }) {
  useCommand({
    id: action.id,
    label: action.label,
    shortcut: action.shortcut,
    group: 'list',
    hidden: true,
    run: () => {
      const row = focusedRow()
      if (row) action.run(row)
    },
  })
  return null
}

type HeaderColumn<Row> = Pick<ListColumn<Row>, 'id' | 'header' | 'width' | 'align' | 'hideUnder'> & {
  order?: string | undefined
}

function Header<Row>({
  column,
  sort,
  onSort,
}: {
  column: HeaderColumn<Row>
  sort: ListSort
  onSort(sort: ListSort): void
}) {
  const { order, header, width, align, hideUnder } = column
  const mine = order !== undefined && sort.column === order
  const next = mine && sort.direction === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      style={{ width }}
      data-hide={hideUnder}
      className={align === 'end' ? styles.end : undefined}
      aria-sort={mine ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {order === undefined ? (
        <span className={styles.plain}>{header}</span>
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort({ column: order, direction: next })}>
          {header}
          <Icon
            name={mine ? (sort.direction === 'asc' ? 'arrow-up' : 'arrow-down') : 'sort'}
            size={12}
            className={mine ? undefined : styles.unsorted}
          />
        </button>
      )}
    </th>
  )
}
