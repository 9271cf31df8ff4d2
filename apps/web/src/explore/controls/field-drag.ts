import type { DragEvent } from 'react'
import { hasFeature } from '../../shared/features.ts'

/** Kind of a dragged field; `time` is a temporal column. */
export type FieldKind = 'metric' | 'column' | 'time'

const dataType = 'application/x-parquetry-field'
const { dataset: marks } = document.documentElement

/** Makes an element draggable as a field. Slots that accept it are highlighted while dragging. */
export const fieldDragProps = (kind: FieldKind, name: string) => ({
  draggable: hasFeature('ENABLE_EXPLORE_DRAG_AND_DROP'),
  onDragStart: ({ dataTransfer }: DragEvent): void => {
    dataTransfer.setData(dataType, name)
    dataTransfer.setData('text/plain', name)
    dataTransfer.effectAllowed = 'copy'
    marks['dragged'] = kind
  },
  onDragEnd: (): void => {
    delete marks['dragged']
  },
})

/** Makes an element a drop target for fields of these kinds; undefined accepts none. */
export const fieldDropProps = (
  kinds: readonly FieldKind[] | undefined,
  onField: (name: string, kind: FieldKind, slot: Element) => void,
) => {
  const kind = (): FieldKind | undefined => kinds?.find((each) => each === marks['dragged'])
  return {
    'data-takes': kinds?.join(' '),
    onDragOver: (event: DragEvent): void => {
      if (!kind()) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent): void => {
      const dragged = kind()
      if (!dragged) return
      event.preventDefault()
      onField(event.dataTransfer.getData(dataType), dragged, event.currentTarget)
    },
  }
}
