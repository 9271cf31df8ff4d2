import { ApiError } from '@parquetry/client'
import {
  Delayed,
  CertifiedBadge,
  Menu,
  PageHeader,
  FavoriteButton,
  StatusChip,
  toast,
  toastError,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTimeWithZone, formatRecentTime } from '../../shared/formats.ts'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { useTitle } from '../../shared/use-title.ts'
import { fetchChangedOn, favoriteStatus, saveDashboard, setFavorite } from '../data/calls.ts'
import { findOldestDataTime } from '../data/chart-data.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { saveErrorText, type DashboardSaveState } from '../edit/use-dashboard-save.ts'
import { useEdit } from '../edit/use-edit.ts'
import { LazyEditActions, LazyEditStatus } from '../edit/lazy-edit-parts.tsx'
import { setTitle } from '../layout/commands.ts'
import { isChanged } from '../layout/history.ts'
import { useActions, useDashboardState, useDashboard, useIsLoading, useProgress } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import { useFullScreen } from './use-full-screen.ts'
import { ViewActions } from './ViewActions.tsx'

export interface DashboardHeaderProps {
  saving: DashboardSaveState
  isAddOpen: boolean
  onAdd(): void
  onProperties(): void
  onSaveAs(): void
  onVersions(): void
}

/** Title, status and actions of the dashboard, for viewing or editing. */
export function DashboardHeader(props: DashboardHeaderProps) {
  const t = useTranslate()
  const edit = useEdit()
  const { rights } = useDashboard()
  const fullScreen = useFullScreen()
  const dashboard = useDashboardState((state) => state.dashboard)
  const isEditing = useDashboardState((state) => state.isEditing)
  const title = useDashboardState(({ dashboard, history }) => titleOf(dashboard, history.present))
  const hasChanges = useDashboardState(({ history }) => isChanged(history))
  const isPhone = useMediaQuery(breakpoints.phone)
  const isTablet = useMediaQuery(breakpoints.tablet)
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
          <CertifiedBadge by={dashboard.result.certified_by} details={dashboard.result.certification_details} />
          {!isPhone && (isEditing ? <LazyEditStatus saving={props.saving} hasChanges={hasChanges} /> : <Published />)}
          {!isEditing && !isTablet && <DataAge />}
        </>
      }
      actions={
        isEditing ? (
          <LazyEditActions {...props} hasChanges={hasChanges} />
        ) : (
          <ViewActions {...props} fullScreen={fullScreen} />
        )
      }
    />
  )
}

/** DASH-060, DASH-075, DASH-076: updated optimistically, and reverted on failure. */
function Favorite({ id, name }: { id: number; name: string }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const key = ['dashboard', 'favorite', id]
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => favoriteStatus(id, signal), retry: false })
  const [reportedError, setReportedError] = useState<unknown>(null)
  if (error && reportedError !== error) {
    setReportedError(error)
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
  return <FavoriteButton isFavorite={data ?? false} name={name} onChange={(on) => change.mutate(on)} />
}

/** DASH-059, DASH-079, DASH-087, DASH-088: a status chip, with a menu to change it for users who may edit. */
function Published() {
  const t = useTranslate()
  const { store, rights } = useDashboard()
  const { updateDocument } = useActions()
  const result = useDashboardState(({ dashboard }) => dashboard.result)
  const isPublished = result.published ?? false
  const change = useMutation({
    mutationFn: async (published: boolean) => {
      await saveDashboard(result.id, { published })
      return fetchChangedOn(result.id)
    },
    onSuccess: (changed_on, published) => {
      updateDocument((dashboard) => ({ ...dashboard, result: { ...dashboard.result, published, changed_on } }))
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
  const state = isPublished ? t('dashboard.published', 'Published') : t('dashboard.draft', 'Draft')
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
      <button type="button" aria-label={`${state}: ${t('dashboard.publishMenu', 'Publish or hide {name}', { name })}`}>
        {chip}
      </button>
    </Menu>
  )
}

/** "12 of 20 charts" while they are loading, then the time of the oldest data shown. */
function DataAge() {
  return useIsLoading() ? (
    <Delayed instead={<Updated />}>
      <Progress />
    </Delayed>
  ) : (
    <Updated />
  )
}

function Progress() {
  const t = useTranslate()
  const { done, of } = useProgress()
  return <StatusChip busy>{t('dashboard.progress', '{done, number} of {of, number} charts', { done, of })}</StatusChip>
}

/** Rendered when loading starts and ends, not for each result. */
function Updated() {
  const t = useTranslate()
  const { data } = useDashboard()
  const nodes = useDashboardState(({ history }) => history.present)
  const openTabs = useDashboardState((state) => state.openTabs)
  const charts = shownCharts(nodes, openTabs).flatMap(({ meta }) => meta.chartId ?? [])
  const at = findOldestDataTime(charts.map((id) => data.states.get(id).answer))
  if (at === null) return null
  return (
    <span
      title={formatDateTimeWithZone(at)}
      style={{ color: 'var(--text-3)', fontSize: 'var(--text-size-2)', whiteSpace: 'nowrap' }}
    >
      {t('dashboard.dataAsOf', 'Data as of {time}', { time: formatRecentTime(at) })}
    </span>
  )
}
