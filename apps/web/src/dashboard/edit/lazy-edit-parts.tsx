import { Suspense, type ComponentType } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { MarkdownBlock } from '../grid/MarkdownBlock.tsx'
import { useDashboardState } from '../state/context.ts'

/**
 * Component that is rendered only while the dashboard is edited. All of these are in one file, which viewers never fetch.
 * @param Read component rendered otherwise
 */
function lazyEditPart<P extends object>(
  pick: (parts: typeof import('./edit-parts.ts')) => ComponentType<P>,
  Read: ComponentType<P> = () => null,
) {
  const Part = lazyComponent(async () => pick(await import('./edit-parts.ts')))
  return function WhileEditing(props: P) {
    const isEditing = useDashboardState((state) => state.isEditing)
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

export const LazyEditActions = lazyEditPart((parts) => parts.EditActions)
export const LazyEditChrome = lazyEditPart((parts) => parts.EditChrome)
export const LazyEditStatus = lazyEditPart((parts) => parts.EditStatus)
export const LazyEmptyTabHint = lazyEditPart((parts) => parts.EmptyTabHint)
export const LazyLayoutDrag = lazyEditPart((parts) => parts.LayoutDrag)
export const LazyResizeHandles = lazyEditPart((parts) => parts.ResizeHandles)
export const TextBlock = lazyEditPart((parts) => parts.TextEditor, MarkdownBlock)
