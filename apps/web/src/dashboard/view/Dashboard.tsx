import { layoutNode } from '@parquetry/model'
import { Button, ButtonLink, confirm, EmptyState, Strip, useCommand, useText } from '@parquetry/ui'
import { useBlocker } from '@tanstack/react-router'
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '../../shared/lazy-part.tsx'
import type { OpenedDashboard } from '../data/open-dashboard.ts'
import { useDatasets } from '../data/use-datasets.ts'
import { isEmptyTree } from '../document/read-dashboard.ts'
import { dashboardRights } from '../document/rights.ts'
import { useDraftOffer, useKeptDraft } from '../edit/use-drafts.ts'
import { useEdit } from '../edit/use-edit.ts'
import { useSave } from '../edit/use-save.ts'
import { useUntouched } from '../edit/use-untouched.ts'
import { isUnsaved } from '../edit/use-writing.ts'
import { LayoutDrag } from '../edit/while-editing.tsx'
import { orientationOf } from '../filters/bar-settings.ts'
import { hasFilterBoxes } from '../filters/filter-boxes.ts'
import { FilterBar } from '../filters/FilterBar.tsx'
import { FiltersOnPaper } from '../filters/FiltersOnPaper.tsx'
import { useDependents } from '../filters/use-dependents.ts'
import { useFilterLink } from '../filters/use-filter-link.ts'
import { ChartHosts } from '../grid/hosts.ts'
import { ChartPool } from '../grid/ChartPool.tsx'
import { Grid } from '../grid/Grid.tsx'
import { remove } from '../layout/commands.ts'
import { boot } from '../../shared/boot.ts'
import { formatDateTimeWithZone } from '../../shared/formats.ts'
import { onBack } from '../../shared/online.ts'
import { useMedia, widths } from '../../shared/use-media.ts'
import type { DashboardSearch } from '../pages.ts'
import { DashboardContext, useActions, useBoard, useDashboard, type OpenDashboard } from '../state/context.ts'
import { dashboardColors } from '../state/look.ts'
import { Nearness } from '../state/nearness.ts'
import { opening } from '../state/tabs.ts'
import { Turns } from '../state/turns.ts'
import { DashboardHeader } from './DashboardHeader.tsx'
import { FullSize } from './FullSize.tsx'
import { useDashboardKeys } from './use-dashboard-keys.ts'
import styles from './Dashboard.module.css'

// What only editing needs comes when it is asked for.
const AddPanel = lazyPart(async () => (await import('../edit/AddPanel.tsx')).AddPanel)
const PlaceDialog = lazyPart(async () => (await import('../edit/PlaceDialog.tsx')).PlaceDialog)
const PropertiesDialog = lazyPart(async () => (await import('../edit/PropertiesDialog.tsx')).PropertiesDialog)
const SaveAsDialog = lazyPart(async () => (await import('../edit/SaveAsDialog.tsx')).SaveAsDialog)
const ConflictDialog = lazyPart(async () => (await import('../edit/ConflictDialog.tsx')).ConflictDialog)
const Versions = lazyPart(async () => (await import('../edit/Versions.tsx')).Versions)
const BoxMigration = lazyPart(async () => (await import('../filters/BoxMigration.tsx')).BoxMigration)
const HorizontalBar = lazyPart(async () => (await import('../filters/HorizontalBar.tsx')).HorizontalBar)
const FilterConfig = lazyPart(async () => (await import('../filters/FilterConfig.tsx')).FilterConfig)

interface DashboardProps {
  opened: OpenedDashboard
  search: DashboardSearch
  /** Node that the address leads to, also once the page is open; '' for none. */
  hash: string
}

/** One open dashboard. */
export function Dashboard({ opened: { loaded, store, data, anchor }, search, hash }: DashboardProps) {
  const said = useRef<HTMLDivElement>(null)
  const [open] = useState<Omit<OpenDashboard, 'rights' | 'colors' | 'datasets'>>(() => {
    const turns = new Turns(flushSync)
    return {
      store,
      data,
      hosts: new ChartHosts(),
      turns,
      nearness: new Nearness((id, isFar) => turns.setFar(id, isFar)),
      announce: (text) => {
        if (said.current) said.current.textContent = text
      },
    }
  })
  const [{ result, metadata }, setDocument] = useState(loaded.dashboard)
  useEffect(() => open.store.subscribe(({ dashboard }) => setDocument(dashboard)), [open.store])
  const datasets = useDatasets(loaded.datasets, open.store, open.data)
  const value = useMemo<OpenDashboard>(
    () => ({ ...open, datasets, rights: dashboardRights(boot.user, result), colors: dashboardColors(metadata) }),
    [open, datasets, result, metadata],
  )
  return (
    <DashboardContext value={value}>
      <Page search={search} anchor={hash || anchor} />
      <div ref={said} className="visually-hidden" role="status" aria-live="polite" />
    </DashboardContext>
  )
}

type Dialog = 'properties' | 'saveAs' | 'filters' | 'versions' | null

function Page({ search, anchor }: { search: DashboardSearch; anchor: string | undefined }) {
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { data, rights, turns, nearness } = useDashboard()
  const isEditing = useBoard((state) => state.isEditing)
  const [dialog, setDialog] = useState<Dialog>(null)
  const [startsWithAdd] = useState(() => !matchMedia(widths.tablet).matches)
  const isAddOpen = useBoard(({ adding }) => adding.isOpen) ?? startsWithAdd
  const { setAdding } = useActions()
  const setAddOpen = (isOpen: boolean) => setAdding({ isOpen, into: null })
  const saving = useSave()

  useLayoutEffect(() => (scroller.current ? nearness.within(scroller.current) : undefined), [nearness])
  useEffect(() => {
    const print = () => turns.drawAll()
    addEventListener('beforeprint', print)
    return () => removeEventListener('beforeprint', print)
  }, [turns])
  useEffect(() => data.start((ids) => inWindow(root.current, ids)), [data])
  useEffect(() => onBack(() => data.askUnanswered()), [data])
  useDashboardKeys(root)
  useKeptDraft()
  useLeaveGuard()
  useUntouched(search.isNew)
  useFilterLink()
  useDependents()
  useAnchor(anchor)

  const isBare = search.standalone >= 2
  const hasBoxes = useBoard(({ dashboard }) => hasFilterBoxes(dashboard))
  const isNarrow = useMedia(widths.narrow)
  const isOnTop = useBoard(({ dashboard }) => orientationOf(dashboard.metadata) === 'HORIZONTAL') && !isNarrow
  const hasFilters = search.standalone < 3 && boot.common.feature_flags.DASHBOARD_NATIVE_FILTERS !== false
  const filterBar = hasFilters && {
    startsOpen: search.expandFilters,
    firstSet: search.filterSet,
    onConfigure: () => setDialog('filters'),
  }
  return (
    <div ref={root} className={styles.page}>
      {!isBare && (
        <DashboardHeader
          saving={saving}
          isAddOpen={isAddOpen}
          onAdd={() => setAddOpen(!isAddOpen)}
          onProperties={() => setDialog('properties')}
          onSaveAs={() => setDialog('saveAs')}
          onVersions={() => setDialog('versions')}
        />
      )}
      <DraftOffer />
      <FiltersOnPaper />
      {!isBare && hasBoxes && (
        <Suspense>
          <BoxMigration />
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
      <LayoutDrag root={root} scroller={scroller} />
      {isEditing && <DeleteKey root={root} />}
      <Suspense>
        {isEditing && <PlaceDialog />}
        {dialog === 'properties' && rights.edit && <PropertiesDialog onClose={() => setDialog(null)} />}
        {dialog === 'saveAs' && <SaveAsDialog onClose={() => setDialog(null)} />}
        {dialog === 'versions' && rights.edit && <Versions onClose={() => setDialog(null)} />}
        {dialog === 'filters' && rights.edit && <FilterConfig onClose={() => setDialog(null)} />}
        {saving.conflict && (
          <ConflictDialog
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

/** Nodes of which some part is in the window now. */
function inWindow(root: HTMLElement | null, ids: readonly string[]): ReadonlySet<string> {
  return new Set(
    ids.filter((id) => {
      const box = root?.querySelector(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect()
      return box !== undefined && box.bottom > 0 && box.top < innerHeight
    }),
  )
}

function DraftOffer() {
  const t = useText()
  const offer = useDraftOffer()
  if (!offer) return null
  return (
    <Strip
      banner
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
    </Strip>
  )
}

/** First use: nothing to show yet. */
function Empty({ onAdd }: { onAdd(): void }) {
  const t = useText()
  const { rights, store } = useDashboard()
  const isEmpty = useBoard(({ history }) => isEmptyTree(history.present))
  const isEditing = useBoard((state) => state.isEditing)
  const { id, owners = [] } = useBoard(({ dashboard }) => dashboard.result)
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
  const owner = [owners[0]?.first_name, owners[0]?.last_name].filter(Boolean).join(' ')
  return (
    <EmptyState
      title={
        owner
          ? t('dashboard.ownerEmpty', '{owner} has not added charts yet', { owner })
          : t('dashboard.empty', 'No charts yet')
      }
    />
  )
}

/** Delete removes the node whose handle has the focus. */
function DeleteKey({ root }: { root: { current: HTMLElement | null } }) {
  const t = useText()
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

/** Asks before unsaved work is left behind; the draft stays in the browser either way. */
function useLeaveGuard() {
  const t = useText()
  const { store } = useDashboard()
  const hasChanges = useBoard((state) => state.isEditing && isUnsaved(state))
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

/** Opens the tab of what a link points at, and scrolls to it (DASH-016). */
function useAnchor(anchor: string | undefined) {
  const { store } = useDashboard()
  useEffect(() => {
    const { history, actions } = store.getState()
    const nodes = history.present
    const node = anchor === undefined ? undefined : layoutNode(nodes, anchor)
    if (!node) return
    actions.openTabs((open) => opening(nodes, node.id, open))
    const frame = requestAnimationFrame(() => {
      // A tab is where its label is.
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
