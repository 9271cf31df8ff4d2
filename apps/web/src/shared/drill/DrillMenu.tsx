import type { Mark } from '@parquetry/charts'
import type { MarkEvent } from '@parquetry/charts/views'
import { MenuList, PointAnchor, useCopy, useTranslate, type MenuItem } from '@parquetry/ui'
import { useState } from 'react'
import type { DrillSubject, DrillPermissions } from './subject.ts'
import { toColumnOptions, useDrillDataset } from './use-drill-dataset.ts'

interface DrillMenuProps {
  mark: Mark
  event: MarkEvent
  subject: DrillSubject
  ways: DrillPermissions
  /** Additional items of the host, such as filtering the other charts. */
  first: MenuItem[]
  onRows(): void
  /** Null lets the user choose the column in the dialog. */
  onBy(column: string | null): void
  onClose(): void
}

/** Number of columns in the menu itself. */
const shown = 12

/** Menu of the actions for a mark, beside it. */
export function DrillMenu({ mark, event, subject, ways, first, onRows, onBy, onClose }: DrillMenuProps) {
  const t = useTranslate()
  const copy = useCopy()
  const [point, setPoint] = useState<HTMLSpanElement | null>(null)
  const { dataset, isRefused, isLoading } = useDrillDataset(subject, ways.canDrillBy)
  const columns = toColumnOptions(dataset, mark.drill)
  const items: MenuItem[] = [{ heading: mark.label }, ...first]
  const refused = t('drill.refused', 'You can see only what this dashboard shows')
  if (ways.canDrillToRows)
    items.push({
      label: t('drill.toRows', 'Drill to rows'),
      icon: 'table',
      ...(isRefused ? { disabledReason: refused } : { onSelect: onRows }),
    })
  if (ways.canDrillBy && columns.length > 0)
    items.push({
      label: t('drill.by', 'Drill by'),
      icon: 'chart',
      items: [
        ...columns.slice(0, shown).map(({ value, label }) => ({ label, onSelect: () => onBy(value) })),
        ...(columns.length > shown
          ? [
              'divider' as const,
              {
                label: t('drill.otherColumn', 'Choose from {count, number} columns…', { count: columns.length }),
                onSelect: () => onBy(null),
              },
            ]
          : []),
      ],
    })
  else if (ways.canDrillBy)
    items.push({
      label: t('drill.by', 'Drill by'),
      icon: 'chart',
      disabledReason: isLoading
        ? t('drill.columnsLoading', 'Loading columns…')
        : isRefused
          ? refused
          : t('drill.noColumns', 'No columns left to drill by'),
    })
  items.push('divider', {
    label: t('drill.copy', 'Copy value'),
    icon: 'copy',
    onSelect: () => copy(mark.label, t('drill.copied', 'Value copied')),
  })
  return (
    <>
      <PointAnchor ref={setPoint} x={event.x} y={event.y} />
      {point && (
        <MenuList
          label={t('drill.menu', 'Actions for {label}', { label: mark.label })}
          items={items}
          anchor={() => point}
          placement="bottom-start"
          focusFirst={event.byKey === true}
          onClose={onClose}
        />
      )}
    </>
  )
}
