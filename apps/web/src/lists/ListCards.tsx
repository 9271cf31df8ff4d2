import { Avatars, Card, CardGrid, IconButton, Menu, useTranslate, type MenuItem } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { Thumbnail } from '../shared/thumbnail/Thumbnail.tsx'
import type { ListDefinition, ListRow } from './definition.ts'

export interface ListCardsProps<Row extends ListRow> {
  definition: ListDefinition<Row>
  rows: readonly Row[]
  selected: ReadonlySet<number>
  onSelect(ids: ReadonlySet<number>): void
  star?: (row: Row) => ReactNode
  mark(row: Row): ReactNode
  menu(row: Row): MenuItem[]
  /** Without thumbnails, for phones. */
  compact: boolean
}

export function ListCards<Row extends ListRow>(props: ListCardsProps<Row>) {
  const { definition, rows, selected, onSelect, star, mark, menu, compact } = props
  const t = useTranslate()
  return (
    <CardGrid label={definition.nouns.title}>
      {rows.map((row) => {
        const name = definition.nameOf(row)
        const label = t('ui.list.rowActions', 'Actions for {name}', { name })
        const owners = definition.owners?.(row) ?? []
        const icon = typeof definition.icon === 'function' ? definition.icon(row) : definition.icon
        return (
          <Card
            key={row.id}
            title={name}
            href={definition.hrefOf(row)}
            icon={icon}
            flat={compact}
            picture={<Thumbnail of={definition.pictured?.(row) ?? null} icon={icon} />}
            note={definition.subtitle(row)}
            changed={row.changed_on_delta_humanized}
            people={!compact && owners.length > 0 && <Avatars people={owners} />}
            star={star?.(row)}
            mark={mark(row)}
            selected={selected.has(row.id)}
            onSelect={(on) => {
              const next = new Set(selected)
              if (on) next.add(row.id)
              else next.delete(row.id)
              onSelect(next)
            }}
            menu={
              <Menu items={menu(row)} label={label} align="end">
                <IconButton icon="more" label={label} />
              </Menu>
            }
          />
        )
      })}
    </CardGrid>
  )
}
