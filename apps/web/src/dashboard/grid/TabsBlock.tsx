import { layoutNode, type LayoutNode } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { dragHandle, dropZone } from '@parquetry/ui/drag/index.ts'
import { Suspense, useId, useRef, useState, type KeyboardEvent } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { LazyEditChrome } from '../edit/lazy-edit-parts.tsx'
import { useActions, useDashboardState } from '../state/context.ts'
import { findOpenTab } from '../state/tabs.ts'
import { NodeView } from './NodeView.tsx'
import styles from './Grid.module.css'

const TabTools = lazyComponent(async () => (await import('./TabTools.tsx')).TabTools)

/** Drop zone of a tab's label, distinct from that of its content. */
export const tabLabelZone = (id: string): string => `label:${id}`

/** Tabs of a layout: only the open one is rendered and queried. Holding a dragged item over a label opens its tab. */
export function TabsBlock({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const nodes = useDashboardState(({ history }) => history.present)
  const open = useDashboardState((state) => findOpenTab(state.history.present, node, state.openTabs))
  const isEditing = useDashboardState((state) => state.isEditing)
  const [isNaming, setNaming] = useState(false)
  const { openTabs } = useActions()
  const isTop = node.parents.at(-1) === 'ROOT_ID'
  const tabs = node.children.flatMap((child) => layoutNode(nodes, child) ?? [])
  const show = (tab: string) => openTabs((before) => ({ ...before, [node.id]: tab }))

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2' && isEditing) {
      event.preventDefault()
      return setNaming(true)
    }
    const index = tabs.findIndex((tab) => tab.id === open)
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    show(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.id}`)}`)?.focus()
  }
  return (
    <section
      className={`${styles.tabs} dashboard-component dashboard-component-tabs`}
      data-top={isTop || undefined}
      data-node={node.id}
      {...dropZone(node.id)}
    >
      {!isTop && <LazyEditChrome node={node} />}
      <div className={styles.tabBar}>
        <div
          ref={list}
          role="tablist"
          aria-label={t('dashboard.tabs', 'Tabs')}
          className={styles.tabList}
          onKeyDown={onKeyDown}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === open}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === open ? 0 : -1}
              className={styles.tab}
              onClick={() => show(tab.id)}
              onDoubleClick={isEditing ? () => setNaming(true) : undefined}
              {...dropZone(tabLabelZone(tab.id))}
              {...(isEditing && dragHandle(tab.id))}
            >
              {tab.meta.text || t('dashboard.tabTitle', 'Tab title')}
            </button>
          ))}
        </div>
        {isEditing && (
          <Suspense>
            <TabTools
              tabs={node}
              open={tabs.find(({ id: each }) => each === open)}
              isNaming={isNaming}
              onNaming={setNaming}
              focusTab={() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()}
            />
          </Suspense>
        )}
      </div>
      {open !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`} className={styles.tabPanel}>
          <NodeView id={open} />
        </div>
      )}
    </section>
  )
}
