import type { MenuAnchor, CellRef } from '@parquetry/charts/views/grid/index'
import { MenuList, PointAnchor, type MenuItem } from '@parquetry/ui'
import { useState } from 'react'

export interface OpenMenu {
  anchor: MenuAnchor
  place: CellRef
  byKey: boolean
}

interface GridMenuProps {
  label: string
  items: MenuItem[]
  anchor: MenuAnchor
  byKey: boolean
  onClose(): void
}

/** Menu at the pointer or beside its element; the focus returns to the rows. */
export function GridMenu({ label, items, anchor, byKey, onClose }: GridMenuProps) {
  const [point, setPoint] = useState<HTMLSpanElement | null>(null)
  const isElement = anchor instanceof Element
  return (
    <>
      {!isElement && <PointAnchor ref={setPoint} x={anchor.x} y={anchor.y} />}
      {(isElement || point) && (
        <MenuList
          label={label}
          items={items}
          anchor={() => (isElement ? anchor : point)}
          placement="bottom-start"
          focusFirst={byKey}
          onClose={onClose}
        />
      )}
    </>
  )
}
