import { Suspense, type ComponentType } from 'react'
import { lazyPart } from '../../shared/lazy-part.ts'
import { useBoard } from '../state/context.ts'

/** A part that is there while the dashboard is edited. All of them are one file, which readers never fetch. */
function whileEditing<P extends object>(pick: (parts: typeof import('./editing.ts')) => ComponentType<P>) {
  const Part = lazyPart(async () => pick(await import('./editing.ts')))
  return function WhileEditing(props: P) {
    const isEditing = useBoard((state) => state.isEditing)
    return (
      isEditing && (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )
    )
  }
}

export const EditActions = whileEditing((parts) => parts.EditActions)
export const EditChrome = whileEditing((parts) => parts.EditChrome)
export const EditStatus = whileEditing((parts) => parts.EditStatus)
export const EmptyTabHint = whileEditing((parts) => parts.EmptyTabHint)
export const LayoutDrag = whileEditing((parts) => parts.LayoutDrag)
export const ResizeGrips = whileEditing((parts) => parts.ResizeGrips)
