import { layoutNode, rootId } from '@parquetry/model'
import { useCommand, useTranslate } from '@parquetry/ui'
import type { RefObject } from 'react'
import { useExploreChart } from '../grid/use-explore-chart.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'

/** J and K move between tiles, Enter and X act on the focused one, 1 to 9 open tabs. */
export function useDashboardKeys(root: RefObject<HTMLElement | null>): void {
  const t = useTranslate()
  const { store, data, rights } = useDashboard()
  const { setFullSize, openTabs } = useActions()
  const openInExplore = useExploreChart()
  const isEditing = useDashboardState((state) => state.isEditing)

  const tiles = () => {
    const { history, openTabs: open } = store.getState()
    return shownCharts(history.present, open)
  }
  const current = () => tiles().findIndex(({ id }) => findTile(root, id)?.contains(document.activeElement))
  const walk = (by: number) => () => {
    const all = tiles()
    const from = current()
    const next = all[from < 0 ? (by > 0 ? 0 : all.length - 1) : (from + by + all.length) % all.length]
    const tile = next && findTile(root, next.id)
    if (!tile) return
    tile.tabIndex = -1
    tile.focus()
    tile.scrollIntoView({ block: 'nearest' })
  }
  const onTile = (act: (node: NonNullable<ReturnType<typeof tiles>[number]>) => void) => () => {
    const node = tiles()[current()]
    if (node) act(node)
  }
  useCommand({
    id: 'dashboard.next',
    label: t('dashboard.nextChart', 'Next chart'),
    shortcut: 'J',
    hidden: true,
    run: walk(1),
  })
  useCommand({
    id: 'dashboard.previous',
    label: t('dashboard.previousChart', 'Previous chart'),
    shortcut: 'K',
    hidden: true,
    run: walk(-1),
  })
  useCommand({
    id: 'dashboard.full',
    label: t('dashboard.fullSize', 'Full size'),
    shortcut: 'Enter',
    hidden: true,
    ...(isEditing && { disabledReason: t('dashboard.notWhileEditing', 'Not available while editing') }),
    run: onTile(({ id }) => document.activeElement === findTile(root, id) && setFullSize(id)),
  })
  useCommand({
    id: 'dashboard.explore',
    label: t('dashboard.editChart', 'Edit in Explore'),
    shortcut: 'X',
    hidden: true,
    run: onTile(({ meta }) => {
      const chart = data.chart(meta.chartId ?? -1)
      if (chart && (rights.explore || rights.editChart)) void openInExplore(chart)
    }),
  })
  const tab = (index: number) => () => {
    const { present } = store.getState().history
    const tabs = layoutNode(present, layoutNode(present, rootId)?.children[0] ?? '')
    const chosen = tabs?.type === 'TABS' ? tabs.children[index] : undefined
    if (tabs && chosen) openTabs((open) => ({ ...open, [tabs.id]: chosen }))
  }
  // These are nine hooks in the same order at each render.
  for (let n = 1; n <= 9; n++) {
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    useCommand({
      id: `dashboard.tab${n}`,
      label: t('dashboard.tabNumber', 'Tab {n, number}', { n }),
      shortcut: String(n),
      hidden: true,
      run: tab(n - 1),
    })
  }
}

const findTile = (root: RefObject<HTMLElement | null>, id: string) =>
  root.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)
