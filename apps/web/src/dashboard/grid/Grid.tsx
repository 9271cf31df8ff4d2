import { layoutNode, rootId } from '@parquetry/model'
import { dropZone } from '@parquetry/ui/drag/index.ts'
import type { ReactNode, Ref } from 'react'
import { useDashboardState } from '../state/context.ts'
import { NodeView } from './NodeView.tsx'
import { useDashboardCss } from './use-dashboard-css.ts'
import styles from './Grid.module.css'

/** Class to which the CSS of a dashboard is scoped. */
const scope = 'dashboard-content'

/** The layout from its root down, in the scrolling pane. */
export function Grid({ scroller, children }: { scroller: Ref<HTMLDivElement>; children?: ReactNode }) {
  const root = useDashboardState(({ history }) => layoutNode(history.present, rootId))
  const isEditing = useDashboardState((state) => state.isEditing)
  useDashboardCss(scope)
  // The empty space below the last row, and an empty dashboard, are drop targets.
  const ground = root?.children.at(-1)
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={-1}>
      <div
        className={`${styles.grid} ${scope} grid-container`}
        data-editing={isEditing || undefined}
        {...(ground && dropZone(ground))}
      >
        {root?.children.map((id) => (
          <NodeView key={id} id={id} />
        ))}
        {children}
      </div>
    </div>
  )
}
