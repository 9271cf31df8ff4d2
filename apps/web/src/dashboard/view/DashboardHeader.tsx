import {
  Button,
  Certified,
  confirm,
  IconButton,
  Menu,
  PageHeader,
  SplitButton,
  Star,
  StatusChip,
  toast,
  toastError,
  useCommand,
  useNavigation,
  useText,
  type MenuItem,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { FormattedTime } from 'react-intl'
import { ApiError } from '../../shared/errors.ts'
import { SharePopover } from '../../shared/SharePopover.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { favoriteStatus, saveDashboard, setFavorite } from '../data/calls.ts'
import { oldest } from '../data/chart-data.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { layoutFill } from '../document/save-body.ts'
import { dropDraft } from '../edit/drafts.ts'
import { positionLimit, saveErrorText, type Saving } from '../edit/use-save.ts'
import { useEdit } from '../edit/use-edit.ts'
import { setTitle } from '../layout/commands.ts'
import { isChanged } from '../layout/history.ts'
import { useActions, useBoard, useDashboard, useProgress } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import { refreshChoices, useAutoRefresh } from './use-auto-refresh.ts'
import { useShareLink } from './use-share-link.ts'

export interface DashboardHeaderProps {
  saving: Saving
  isAddOpen: boolean
  onAdd(): void
  onProperties(): void
  onSaveAs(): void
}

/** Title, what state the dashboard is in, and what can be done with it: to read, or while editing. */
export function DashboardHeader(props: DashboardHeaderProps) {
  const t = useText()
  const edit = useEdit()
  const { rights } = useDashboard()
  const dashboard = useBoard((state) => state.dashboard)
  const isEditing = useBoard((state) => state.isEditing)
  const title = useBoard(({ dashboard: board, history }) => titleOf(board, history.present))
  const hasChanges = useBoard(({ history }) => isChanged(history))
  const shown = title || t('app.untitled', '[ untitled dashboard ]')
  useTitle([shown, t('dashboard.dashboards', 'Dashboards')], isEditing && hasChanges ? '•' : undefined)
  return (
    <PageHeader
      title={shown}
      {...(isEditing && { onRename: (text: string) => void edit((nodes) => setTitle(nodes, text)) })}
      crumbs={[{ label: t('dashboard.dashboards', 'Dashboards'), href: '/dashboard/list/' }]}
      marks={
        <>
          {rights.favorite && <Favorite id={dashboard.result.id} name={shown} />}
          <Certified by={dashboard.result.certified_by} details={dashboard.result.certification_details} />
          {isEditing ? <EditStatus {...props} hasChanges={hasChanges} /> : <Published />}
          {!isEditing && <DataAge />}
        </>
      }
      actions={isEditing ? <EditActions {...props} hasChanges={hasChanges} /> : <ViewActions {...props} />}
    />
  )
}

/** DASH-060, DASH-075, DASH-076: shown at once, put back when it fails. */
function Favorite({ id, name }: { id: number; name: string }) {
  const t = useText()
  const queries = useQueryClient()
  const key = ['dashboard', 'favorite', id]
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => favoriteStatus(id, signal), retry: false })
  const [told, setTold] = useState<unknown>(null)
  if (error && told !== error) {
    setTold(error)
    queueMicrotask(() =>
      toastError(t('dashboard.favoriteFetch', 'There was an issue fetching the favorite status of this dashboard.')),
    )
  }
  const change = useMutation({
    mutationFn: (on: boolean) => setFavorite(id, on),
    onMutate: (on) => queries.setQueryData(key, on),
    onError: (_, on) => {
      queries.setQueryData(key, !on)
      toastError(t('dashboard.favoriteSave', 'There was an issue favoriting this dashboard.'))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['dashboard', 'list'] }),
  })
  return <Star on={data ?? false} name={name} onChange={(on) => change.mutate(on)} />
}

/** DASH-059, DASH-079, DASH-087, DASH-088: a chip that tells, and for those who may a menu that changes it. */
function Published() {
  const t = useText()
  const { store, rights } = useDashboard()
  const { settle } = useActions()
  const result = useBoard(({ dashboard }) => dashboard.result)
  const isPublished = result.published ?? false
  const change = useMutation({
    mutationFn: (published: boolean) => saveDashboard(result.id, { published }),
    onSuccess: (_, published) => {
      settle((dashboard) => ({ ...dashboard, result: { ...dashboard.result, published, changed_on: null } }))
      toast(
        published
          ? t('dashboard.nowPublished', 'This dashboard is now published')
          : t('dashboard.nowHidden', 'This dashboard is now hidden'),
      )
    },
    onError: (error) =>
      toastError(
        error instanceof ApiError && error.status === 403
          ? t('dashboard.publishForbidden', 'You do not have permissions to edit this dashboard.')
          : saveErrorText(t, error),
      ),
  })
  const chip = (
    <StatusChip tone={isPublished ? 'success' : 'neutral'} icon={isPublished ? 'check' : 'edit'}>
      {isPublished ? t('dashboard.published', 'Published') : t('dashboard.draft', 'Draft')}
    </StatusChip>
  )
  if (!rights.edit) return chip
  const name = titleOf(store.getState().dashboard)
  const items: MenuItem[] = [
    {
      label: t('dashboard.published', 'Published'),
      checked: isPublished,
      onSelect: () => !isPublished && change.mutate(true),
    },
    {
      label: t('dashboard.draft', 'Draft'),
      checked: !isPublished,
      onSelect: () => isPublished && change.mutate(false),
    },
  ]
  return (
    <Menu items={items} label={t('dashboard.publishMenu', 'Publish or hide {name}', { name })}>
      <button type="button" aria-label={t('dashboard.publishMenu', 'Publish or hide {name}', { name })}>
        {chip}
      </button>
    </Menu>
  )
}

/** "12 of 20 charts" while it loads, then when the oldest of what is shown was read. */
function DataAge() {
  const t = useText()
  const { data } = useDashboard()
  const { done, of } = useProgress()
  const nodes = useBoard(({ history }) => history.present)
  const openTabs = useBoard((state) => state.openTabs)
  const charts = shownCharts(nodes, openTabs).flatMap(({ meta }) => meta.chartId ?? [])
  const at = useSyncExternalStore(
    (listener) => {
      const ends = charts.map((id) => data.states.subscribe(id, listener))
      return () => ends.forEach((end) => end())
    },
    () => oldest(charts.map((id) => data.states.get(id).answer)),
  )
  if (of > 0) {
    return (
      <StatusChip busy>{t('dashboard.progress', '{done, number} of {of, number} charts', { done, of })}</StatusChip>
    )
  }
  if (at === null) return null
  return (
    <span
      title={new Date(at).toLocaleString()}
      style={{ color: 'var(--text-3)', fontSize: 'var(--text-size-2)', whiteSpace: 'nowrap' }}
    >
      {t('dashboard.updated', 'Updated')} <FormattedTime value={at} />
    </span>
  )
}

function ViewActions({ onProperties, onSaveAs }: DashboardHeaderProps) {
  const t = useText()
  const { rights } = useDashboard()
  const { refresh, setEditing } = useActions()
  const [isSharing, setSharing] = useState(false)
  const result = useBoard(({ dashboard }) => dashboard.result)
  const { intervalS, setIntervalS } = useAutoRefresh()
  const makeLink = useShareLink()

  const refreshNow = useCommand({
    id: 'dashboard.refresh',
    label: t('dashboard.refresh', 'Refresh'),
    shortcut: 'R',
    icon: 'refresh',
    run: () => refresh(false),
  })
  const refreshForced = useCommand({
    id: 'dashboard.refreshForced',
    label: t('dashboard.refreshForced', 'Refresh without cache'),
    shortcut: 'Shift+R',
    icon: 'refresh',
    run: () => refresh(true),
  })
  const choices: MenuItem[] = refreshChoices(t).map(({ seconds, label }) => ({
    label,
    checked: seconds === intervalS,
    onSelect: () => setIntervalS(seconds),
  }))
  const more: MenuItem[] = [
    ...(rights.edit
      ? [{ label: t('dashboard.editProperties', 'Properties'), icon: 'settings' as const, onSelect: onProperties }]
      : []),
    ...(rights.saveAs
      ? [{ label: t('dashboard.saveAs', 'Save as copy'), icon: 'copy' as const, onSelect: onSaveAs }]
      : []),
  ]
  const current = refreshChoices(t).find(({ seconds }) => seconds === intervalS)
  return (
    <>
      <SplitButton
        command={refreshForced}
        menuLabel={t('dashboard.autoRefresh', 'Refresh by itself')}
        items={[
          { command: refreshNow },
          { command: refreshForced },
          'divider',
          { heading: t('dashboard.autoRefresh', 'Refresh by itself') },
          ...choices,
        ]}
      >
        {intervalS > 0 && current ? current.label : t('dashboard.refresh', 'Refresh')}
      </SplitButton>
      {rights.share && (
        <SharePopover
          open={isSharing}
          onClose={() => setSharing(false)}
          makeLink={() => makeLink()}
          subject={result.dashboard_title ?? ''}
          audience={
            result.published
              ? t('dashboard.audiencePublished', 'Everyone who may read its data can open it.')
              : t('dashboard.audienceDraft', 'Only owners can open it until it is published.')
          }
          anchor={
            <Button icon="share" onClick={() => setSharing(!isSharing)}>
              {t('dashboard.share', 'Share')}
            </Button>
          }
        />
      )}
      {rights.edit && <EditButton onEdit={() => setEditing(true)} />}
      {more.length > 0 && (
        <Menu items={more} label={t('dashboard.more', 'More actions')} align="end">
          <IconButton icon="more" label={t('dashboard.more', 'More actions')} />
        </Menu>
      )}
    </>
  )
}

function EditButton({ onEdit }: { onEdit(): void }) {
  const t = useText()
  const command = useCommand({
    id: 'dashboard.edit',
    label: t('dashboard.edit', 'Edit'),
    shortcut: 'E',
    icon: 'edit',
    run: onEdit,
  })
  return <Button command={command} />
}

type EditProps = DashboardHeaderProps & { hasChanges: boolean }

function EditStatus({ saving, hasChanges }: EditProps) {
  const t = useText()
  const fill = useBoard(({ dashboard, history }) =>
    hasChanges ? layoutFill({ ...dashboard.layout, nodes: history.present }, positionLimit()) : 0,
  )
  if (saving.isSaving) return <StatusChip busy>{t('dashboard.saving', 'Saving…')}</StatusChip>
  if (fill > 0.9) {
    return (
      <StatusChip tone={fill > 1 ? 'danger' : 'warning'} icon="warning">
        {t('dashboard.layoutFill', 'Layout {share, number, percent} full', { share: fill })}
      </StatusChip>
    )
  }
  return hasChanges ? <StatusChip icon="edit">{t('dashboard.unsaved', 'Unsaved changes')}</StatusChip> : null
}

function EditActions({ saving, hasChanges, isAddOpen, onAdd, onProperties, onSaveAs }: EditProps) {
  const t = useText()
  const { store, rights } = useDashboard()
  const { undo, redo, load, setEditing } = useActions()
  const { go } = useNavigation()
  const past = useBoard(({ history }) => history.past.length)
  const future = useBoard(({ history }) => history.future.length)

  const undoCommand = useCommand({
    id: 'dashboard.undo',
    label: t('dashboard.undo', 'Undo'),
    shortcut: 'Mod+Z',
    icon: 'undo',
    ...(past === 0 && { disabledReason: t('dashboard.nothingToUndo', 'Nothing to undo') }),
    run: undo,
  })
  const redoCommand = useCommand({
    id: 'dashboard.redo',
    label: t('dashboard.redo', 'Redo'),
    shortcut: 'Mod+Shift+Z',
    icon: 'redo',
    ...(future === 0 && { disabledReason: t('dashboard.nothingToRedo', 'Nothing to redo') }),
    run: redo,
  })
  const add = useCommand({
    id: 'dashboard.add',
    label: t('dashboard.add', 'Add'),
    shortcut: 'A',
    icon: 'plus',
    run: onAdd,
  })
  const save = useCommand({
    id: 'dashboard.save',
    label: t('dashboard.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    run: () => {
      const { dashboard } = store.getState()
      // DASH-014: the address after a save is the one that links write.
      void saving
        .save()
        .then(
          (isSaved) =>
            isSaved && go(`/superset/dashboard/${dashboard.result.slug || dashboard.result.id}/`, { replace: true }),
        )
    },
  })
  const discard = async () => {
    const { dashboard, history } = store.getState()
    const count = history.past.length
    if (count > 0) {
      const yes = await confirm({
        title: t('dashboard.discardTitle', 'Discard {count, plural, one {# change} other {# changes}}?', { count }),
        body: t('dashboard.discardBody', 'The dashboard goes back to how it was last saved.'),
        action: t('dashboard.discardAction', 'Discard {count, plural, one {# change} other {# changes}}', { count }),
      })
      if (!yes) return
    }
    dropDraft(dashboard.result.id)
    load(dashboard)
    setEditing(false)
  }
  return (
    <>
      <IconButton icon="undo" label={t('dashboard.undo', 'Undo')} command={undoCommand} />
      <IconButton icon="redo" label={t('dashboard.redo', 'Redo')} command={redoCommand} />
      <Button command={add} aria-pressed={isAddOpen} />
      <Button variant="quiet" icon="settings" onClick={onProperties}>
        {t('dashboard.editProperties', 'Properties')}
      </Button>
      <Button variant="quiet" onClick={() => void discard()}>
        {hasChanges ? t('dashboard.discard', 'Discard') : t('dashboard.done', 'Stop editing')}
      </Button>
      <SplitButton
        variant="primary"
        command={save}
        busy={saving.isSaving}
        menuLabel={t('dashboard.moreSave', 'More ways to save')}
        items={
          rights.saveAs ? [{ label: t('dashboard.saveAs', 'Save as copy'), icon: 'copy', onSelect: onSaveAs }] : []
        }
      />
    </>
  )
}
