import { Suspense, type ComponentType } from 'react'
import { lazyPart } from '../../shared/lazy-part.tsx'
import { MarkdownBlock } from '../grid/MarkdownBlock.tsx'
import { useBoard } from '../state/context.ts'

/**
 * A part that is there while the dashboard is edited. All of them are one file, which readers never fetch.
 * @param Read what is there else
 */
function whileEditing<P extends object>(
  pick: (parts: typeof import('./editing.ts')) => ComponentType<P>,
  Read: ComponentType<P> = () => null,
) {
  const Part = lazyPart(async () => pick(await import('./editing.ts')))
  return function WhileEditing(props: P) {
    const isEditing = useBoard((state) => state.isEditing)
    const read = <Read {...props} />
    return isEditing ? (
      <Suspense fallback={read}>
        <Part {...props} />
      </Suspense>
    ) : (
      read
    )
  }
}

export const EditActions = whileEditing((parts) => parts.EditActions)
export const EditChrome = whileEditing((parts) => parts.EditChrome)
export const EditStatus = whileEditing((parts) => parts.EditStatus)
export const EmptyTabHint = whileEditing((parts) => parts.EmptyTabHint)
export const LayoutDrag = whileEditing((parts) => parts.LayoutDrag)
export const ResizeGrips = whileEditing((parts) => parts.ResizeGrips)
export const TextBlock = whileEditing((parts) => parts.TextEditor, MarkdownBlock)
