import type { LabelSlots } from '@parquetry/charts'
import { layoutNode } from '@parquetry/model'
import { Button, ButtonLink, confirm, EmptyState, Banner, useCommand, useTranslate } from '@parquetry/ui'
import { useBlocker } from '@tanstack/react-router'
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import type { OpenedDashboard, ShownVersion } from '../data/open-dashboard.ts'
import type { MissingLinkFilters } from '../data/link-part.ts'
import { useDatasets } from '../data/use-datasets.ts'
import { isEmptyTree } from '../document/read-dashboard.ts'
import { resolveDashboardRights, withoutChanges } from '../document/rights.ts'
import { useDraftRecovery, useDraftAutosave } from '../edit/use-drafts.ts'
import { useEdit } from '../edit/use-edit.ts'
import { useDashboardSave } from '../edit/use-dashboard-save.ts'
import { isUnsaved } from '../edit/use-pending-edit.ts'
import { LazyLayoutDrag } from '../edit/lazy-edit-parts.tsx'
import { readOrientation } from '../filters/bar-settings.ts'
import { hasFilterBoxes } from '../filters/filter-boxes.ts'
import { FilterBar } from '../filters/FilterBar.tsx'
import { PrintedFilters } from '../filters/PrintedFilters.tsx'
import { useDependentFilters } from '../filters/use-dependent-filters.ts'
import { useFilterLink } from '../filters/use-filter-link.ts'
import { ChartHosts } from '../grid/hosts.ts'
import { ChartPool } from '../grid/ChartPool.tsx'
import { Grid } from '../grid/Grid.tsx'
import { remove } from '../layout/commands.ts'
import { boot } from '../../shared/boot.ts'
import { hasAnalogousColors } from '../../shared/features.ts'
import { formatDateTimeWithZone } from '../../shared/formats.ts'
import { onReconnect } from '../../shared/online.ts'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import type { DashboardSearch } from '../pages.ts'
import {
  DashboardContext,
  useActions,
  useDashboardState,
  useDashboard,
  type DashboardContextValue,
} from '../state/context.ts'
import { dashboardColors, readShownColors, storeShownColors } from '../state/dashboard-colors.ts'
import { ViewportProximity } from '../state/viewport-proximity.ts'
import { revealNode } from '../state/tabs.ts'
import { RenderQueue } from '../state/render-queue.ts'
import { DashboardHeader } from './DashboardHeader.tsx'
import { FullSize } from './FullSize.tsx'
import { MissingFiltersBanner } from './MissingFiltersBanner.tsx'
import { useDashboardKeys } from './use-dashboard-keys.ts'
import { useDashboardTheme } from './use-dashboard-theme.ts'
import styles from './Dashboard.module.css'

// Parts that not every visit needs are loaded on demand.
const AddPanel = lazyComponent(async () => (await import('../edit/AddPanel.tsx')).AddPanel)
const MoveResizeDialog = lazyComponent(async () => (await import('../edit/MoveResizeDialog.tsx')).MoveResizeDialog)
const DashboardPropertiesDialog = lazyComponent(
  async () => (await import('../edit/DashboardPropertiesDialog.tsx')).DashboardPropertiesDialog,
)
const SaveAsDialog = lazyComponent(async () => (await import('../edit/SaveAsDialog.tsx')).SaveAsDialog)
const DashboardConflictDialog = lazyComponent(
  async () => (await import('../edit/DashboardConflictDialog.tsx')).DashboardConflictDialog,
)
const DashboardVersions = lazyComponent(async () => (await import('../edit/DashboardVersions.tsx')).DashboardVersions)
const VersionHeader = lazyComponent(async () => (await import('./VersionHeader.tsx')).VersionHeader)
const FilterBoxMigration = lazyComponent(
  async () => (await import('../filters/FilterBoxMigration.tsx')).FilterBoxMigration,
)
const HorizontalBar = lazyComponent(async () => (await import('../filters/HorizontalBar.tsx')).HorizontalBar)
const FilterConfig = lazyComponent(async () => (await import('../filters/FilterConfig.tsx')).FilterConfig)

interface DashboardProps {
  opened: OpenedDashboard
  search: DashboardSearch
  /** Node that the URL links to, also once the page is open; '' for none. */
  hash: string
}

export function Dashboard({
  opened: { loaded, store, data, anchor, missingFilters, labelSlots, version },
  search,
  hash,
}: DashboardProps) {
  const statusElement = useRef<HTMLDivElement>(null)
  const [open] = useState<Omit<DashboardContextValue, 'rights' | 'colors' | 'shownColors' | 'datasets'>>(() => {
    const queue = new RenderQueue(flushSync)
    return {
      store,
      data,
      hosts: new ChartHosts(),
      renderQueue: queue,
      proximity: new ViewportProximity((id, isFar) => queue.setOffscreen(id, isFar)),
      announce: (text) => {
        if (statusElement.current) statusElement.current.textContent = text
      },
    }
  })
  const [{ result, metadata }, setDocument] = useState(loaded.dashboard)
  useEffect(() => open.store.subscribe(({ dashboard }) => setDocument(dashboard)), [open.store])
  const datasets = useDatasets(loaded.datasets, open.store, open.data)
  const shownColors = useShownColors(result.id, labelSlots)
  const value = useMemo<DashboardContextValue>(
    () => ({
      ...open,
      datasets,
      rights: version
        ? withoutChanges(resolveDashboardRights(boot.user, result))
        : resolveDashboardRights(boot.user, result),
      colors: dashboardColors(metadata, { shown: shownColors, isAnalogous: hasAnalogousColors() }),
      shownColors,
    }),
    [open, datasets, result, metadata, shownColors, version],
  )
  return (
    <DashboardContext value={value}>
      <Page search={search} anchor={hash || anchor} missingFilters={missingFilters} version={version} />
      <div ref={statusElement} className="visually-hidden" role="status" aria-live="polite" />
    </DashboardContext>
  )
}

/** Colors that labels have had on the dashboard or for the sender of a link, which a reload and going back keep. */
function useShownColors(id: number, linked: LabelSlots): LabelSlots {
  const [shown] = useState(() => ({ ...readShownColors(id), ...linked }))
  useEffect(() => {
    const store = () => storeShownColors(id, shown)
    addEventListener('pagehide', store)
    return () => {
      removeEventListener('pagehide', store)
      store()
    }
  }, [id, shown])
  return shown
}

type Dialog = 'properties' | 'saveAs' | 'filters' | 'versions' | null

interface PageProps {
  search: DashboardSearch
  anchor: string | undefined
  missingFilters: MissingLinkFilters | null
  version: ShownVersion | undefined
}

function Page({ search, anchor, missingFilters, version }: PageProps) {
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { data, rights, renderQueue, proximity } = useDashboard()
  const isEditing = useDashboardState((state) => state.isEditing)
  const [dialog, setDialog] = useState<Dialog>(null)
  const [startsWithAdd] = useState(() => !matchMedia(breakpoints.tablet).matches)
  const isAddOpen = useDashboardState(({ adding }) => adding.isOpen) ?? startsWithAdd
  const { setAdding } = useActions()
  const setAddOpen = (isOpen: boolean) => setAdding({ isOpen, into: null })
  const saving = useDashboardSave()

  useLayoutEffect(() => (scroller.current ? proximity.observeRoot(scroller.current) : undefined), [proximity])
  useEffect(() => {
    const print = () => renderQueue.flush()
    addEventListener('beforeprint', print)
    return () => removeEventListener('beforeprint', print)
  }, [renderQueue])
  useEffect(() => data.start((ids) => inWindow(root.current, ids)), [data])
  useEffect(() => onReconnect(() => data.retryUnanswered()), [data])
  useDashboardKeys(root)
  useDashboardTheme()
  useDraftAutosave()
  useLeaveGuard()
  useFilterLink(missingFilters === 'gone', version !== undefined)
  useDependentFilters()
  useAnchor(anchor)

  const isBare = search.standalone >= 2
  const hasBoxes = useDashboardState(({ dashboard }) => hasFilterBoxes(dashboard))
  const isNarrow = useMediaQuery(breakpoints.narrow)
  const isOnTop =
    useDashboardState(({ dashboard }) => readOrientation(dashboard.metadata) === 'HORIZONTAL') && !isNarrow
  const hasFilters = search.standalone < 3 && boot.common.feature_flags.DASHBOARD_NATIVE_FILTERS !== false
  const filterBar = hasFilters && {
    startsOpen: search.expandFilters,
    firstSet: search.filterSet,
    onConfigure: () => setDialog('filters'),
  }
  return (
    <div ref={root} className={styles.page}>
      {version && (
        <Suspense>
          <VersionHeader version={version} />
        </Suspense>
      )}
      {!isBare && !version && (
        <DashboardHeader
          saving={saving}
          isAddOpen={isAddOpen}
          onAdd={() => setAddOpen(!isAddOpen)}
          onProperties={() => setDialog('properties')}
          onSaveAs={() => setDialog('saveAs')}
          onVersions={() => setDialog('versions')}
        />
      )}
      <DraftRecoveryBanner />
      <MissingFiltersBanner missing={missingFilters} />
      <PrintedFilters />
      {!isBare && hasBoxes && (
        <Suspense>
          <FilterBoxMigration />
        </Suspense>
      )}
      {filterBar && isOnTop && (
        <Suspense fallback={<div className={styles.barToCome} />}>
          <HorizontalBar {...filterBar} />
        </Suspense>
      )}
      <div className={styles.body}>
        {filterBar && !isOnTop && <FilterBar {...filterBar} />}
        <Grid scroller={scroller}>
          <Empty onAdd={() => setAddOpen(true)} />
        </Grid>
        {isEditing && isAddOpen && (
          <Suspense>
            <AddPanel onClose={() => setAddOpen(false)} />
          </Suspense>
        )}
      </div>
      <ChartPool />
      <FullSize />
      <LazyLayoutDrag root={root} scroller={scroller} />
      {isEditing && <DeleteKey root={root} />}
      <Suspense>
        {isEditing && <MoveResizeDialog />}
        {dialog === 'properties' && rights.edit && <DashboardPropertiesDialog onClose={() => setDialog(null)} />}
        {dialog === 'saveAs' && <SaveAsDialog onClose={() => setDialog(null)} />}
        {dialog === 'versions' && rights.edit && <DashboardVersions onClose={() => setDialog(null)} />}
        {dialog === 'filters' && rights.edit && <FilterConfig onClose={() => setDialog(null)} />}
        {saving.conflict && (
          <DashboardConflictDialog
            theirs={saving.conflict}
            onClose={saving.closeConflict}
            onOverwrite={() => void saving.save(true)}
            onMerged={() => void saving.save()}
            onSaveAs={() => {
              saving.closeConflict()
              setDialog('saveAs')
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Nodes that are at least partly in the window. */
function inWindow(root: HTMLElement | null, ids: readonly string[]): ReadonlySet<string> {
  return new Set(
    ids.filter((id) => {
      const box = root?.querySelector(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect()
      return box !== undefined && box.bottom > 0 && box.top < innerHeight
    }),
  )
}

function DraftRecoveryBanner() {
  const t = useTranslate()
  const offer = useDraftRecovery()
  if (!offer) return null
  return (
    <Banner
      inline
      action={
        <>
          <Button onClick={offer.restore}>{t('dashboard.restore', 'Restore')}</Button>
          <Button variant="quiet" onClick={offer.discard}>
            {t('dashboard.discard', 'Discard')}
          </Button>
        </>
      }
    >
      {t('dashboard.restoreOffer', 'You have unsaved changes from')} {formatDateTimeWithZone(offer.draft.at)}
      {offer.isOutdated && <>. {t('dashboard.restoreOutdated', 'The dashboard has been saved since then.')}</>}
    </Banner>
  )
}

/** Placeholder of an empty dashboard. */
function Empty({ onAdd }: { onAdd(): void }) {
  const t = useTranslate()
  const { rights, store } = useDashboard()
  const isEmpty = useDashboardState(({ history }) => isEmptyTree(history.present))
  const isEditing = useDashboardState((state) => state.isEditing)
  const { id, editors = [] } = useDashboardState(({ dashboard }) => dashboard.result)
  if (!isEmpty) return null
  const start = () => {
    store.getState().actions.setEditing(true)
    onAdd()
  }
  if (isEditing) {
    return (
      <EmptyState title={t('dashboard.emptyEdit', 'Drag charts here')}>
        {t('dashboard.emptyEditText', 'Drag them from the Add pane, or select + next to a chart.')}
      </EmptyState>
    )
  }
  if (rights.edit) {
    return (
      <EmptyState
        title={t('dashboard.empty', 'No charts yet')}
        actions={
          <>
            <Button variant="primary" onClick={start}>
              {t('dashboard.addFirst', 'Add your first chart')}
            </Button>
            <ButtonLink href={`/chart/add?dashboard_id=${id}`}>{t('dashboard.createChart', 'Create chart')}</ButtonLink>
          </>
        }
      />
    )
  }
  const owner = editors[0]?.label ?? ''
  return (
    <EmptyState
      title={
        owner
          ? t('dashboard.ownerEmpty', '{owner} has not added any charts yet', { owner })
          : t('dashboard.empty', 'No charts yet')
      }
    />
  )
}

/** Delete removes the node whose handle has the focus. */
function DeleteKey({ root }: { root: { current: HTMLElement | null } }) {
  const t = useTranslate()
  const edit = useEdit()
  useCommand({
    id: 'dashboard.delete',
    label: t('dashboard.remove', 'Remove'),
    shortcut: 'Delete',
    hidden: true,
    run: () => {
      const focused = document.activeElement
      const id =
        focused instanceof HTMLElement && root.current?.contains(focused) ? focused.dataset.dragHandle : undefined
      if (id !== undefined) edit((nodes) => (layoutNode(nodes, id) ? remove(nodes, id) : nodes))
    },
  })
  return null
}

/** Asks before the user leaves unsaved work; the draft stays in the browser either way. */
function useLeaveGuard() {
  const t = useTranslate()
  const { store } = useDashboard()
  const hasChanges = useDashboardState((state) => state.isEditing && isUnsaved(state))
  useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: () => isUnsaved(store.getState()),
    shouldBlockFn: async ({ current, next }) => {
      const state = store.getState()
      if (current.pathname === next.pathname || !state.isEditing || !isUnsaved(state)) return false
      const yes = await confirm({
        title: t('dashboard.leave', 'Leave with unsaved changes?'),
        body: t('dashboard.leaveBody', 'Your changes stay in this browser. You can restore them when you come back.'),
        action: t('dashboard.leaveAction', 'Leave'),
        danger: false,
      })
      return !yes
    },
  })
}

/** Opens the tab that contains the target of a link, and scrolls to it (DASH-016). */
function useAnchor(anchor: string | undefined) {
  const { store } = useDashboard()
  useEffect(() => {
    const { history, actions } = store.getState()
    const nodes = history.present
    const node = anchor === undefined ? undefined : layoutNode(nodes, anchor)
    if (!node) return
    actions.openTabs((open) => revealNode(nodes, node.id, open))
    const frame = requestAnimationFrame(() => {
      // A tab is shown by scrolling to the block with its label.
      const shown = CSS.escape(node.type === 'TAB' ? (node.parents.at(-1) ?? '') : node.id)
      const element = document.querySelector(`[data-node="${shown}"], [data-drop-zone="${shown}"]`)
      const isTall = element !== null && element.clientHeight > innerHeight / 2
      element?.scrollIntoView({ block: isTall ? 'start' : 'center' })
      if (node.meta.chartId !== undefined) actions.outline('link', [node.meta.chartId])
    })
    const timer = setTimeout(() => actions.outline('link', []), 2000)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [anchor, store])
}
