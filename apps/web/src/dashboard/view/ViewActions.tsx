import {
  Button,
  IconButton,
  Menu,
  SplitButton,
  toast,
  toastError,
  useCommand,
  useTranslate,
  type Command,
  type MenuItem,
} from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { useReportMenu } from '../../shared/reports/use-report-menu.tsx'
import { saveResponse } from '../../shared/save-response.ts'
import { SharePopover } from '../../shared/sharing/SharePopover.tsx'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { usePictureDownload } from '../../shared/use-picture-download.ts'
import { fetchDashboardPicture, buildExportUrl } from '../data/calls.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { refreshChoices, useAutoRefresh } from './use-auto-refresh.ts'
import { useDeleteDashboard } from './use-delete-dashboard.ts'
import { readUrlParams, useShareLink } from './use-share-link.ts'

interface ViewActionsProps {
  fullScreen: Command
  onProperties(): void
  onSaveAs(): void
  onVersions(): void
}

/** Actions of a viewer on the whole dashboard; on narrow windows most of them move into the menu. */
export function ViewActions({ fullScreen, onProperties, onSaveAs, onVersions }: ViewActionsProps) {
  const t = useTranslate()
  const { rights, store } = useDashboard()
  const { refresh, setEditing } = useActions()
  const [isSharing, setSharing] = useState(false)
  const result = useDashboardState(({ dashboard }) => dashboard.result)
  const { intervalS, setIntervalS } = useAutoRefresh()
  const isPhone = useMediaQuery(breakpoints.phone)
  const isTablet = useMediaQuery(breakpoints.tablet)
  const makeLink = useShareLink()
  const remove = useDeleteDashboard()
  const pictures = usePictureDownload(
    (pictureRequest) => fetchDashboardPicture(result.id, { ...pictureRequest, data_mask: store.getState().mask }),
    result.dashboard_title ?? '',
  )

  const reports = useReportMenu({ kind: 'dashboard', id: result.id, name: result.dashboard_title ?? '' }, () => {
    return { dataMask: store.getState().mask, urlParams: readUrlParams() }
  })

  const workbook = async () => {
    toast(t('dashboard.workbookOnItsWay', 'Preparing Excel file…'))
    try {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const response = await fetchDashboardPicture(result.id, {
        format: 'xlsx',
        time_zone,
        data_mask: store.getState().mask,
      })
      await saveResponse(response, `${result.dashboard_title ?? ''}.xlsx`)
    } catch (error) {
      toastError(messageOf(error))
    }
  }

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
  const choices = (): MenuItem[] =>
    refreshChoices(t).map(({ seconds, label }) => ({
      label,
      checked: seconds === intervalS,
      onSelect: () => setIntervalS(seconds),
    }))
  const autoRefresh = t('dashboard.autoRefresh', 'Auto-refresh')
  const more = (): MenuItem[] => [
    ...(isTablet
      ? [
          { command: refreshNow },
          { command: refreshForced },
          { label: autoRefresh, items: choices() },
          'divider' as const,
        ]
      : []),
    { command: fullScreen },
    ...(isPhone && rights.edit
      ? [{ label: t('dashboard.edit', 'Edit'), icon: 'edit' as const, onSelect: () => setEditing(true) }]
      : []),
    ...(rights.edit
      ? [
          { label: t('dashboard.editProperties', 'Properties'), icon: 'settings' as const, onSelect: onProperties },
          { label: t('history.versions', 'Versions'), icon: 'history' as const, onSelect: onVersions },
        ]
      : []),
    ...(rights.saveAs
      ? [{ label: t('dashboard.saveAs', 'Save as copy'), icon: 'copy' as const, onSelect: onSaveAs }]
      : []),
    pictures,
    ...(rights.csv
      ? [
          {
            label: t('dashboard.workbook', 'Download as Excel'),
            icon: 'table' as const,
            onSelect: () => void workbook(),
          },
        ]
      : []),
    ...reports.items,
    { label: t('dashboard.print', 'Print'), onSelect: () => print() },
    ...(rights.export
      ? [
          {
            label: t('lists.export', 'Export'),
            icon: 'download' as const,
            // This downloads a file, so the page stays.
            onSelect: () => location.assign(buildExportUrl(result.id)),
          },
        ]
      : []),
    ...(rights.edit
      ? [
          'divider' as const,
          { label: t('lists.delete', 'Delete'), icon: 'trash' as const, danger: true, onSelect: () => void remove() },
        ]
      : []),
  ]
  const current = intervalS > 0 ? refreshChoices(t).find(({ seconds }) => seconds === intervalS) : undefined
  const share = t('dashboard.share', 'Share')
  const toggleSharing = () => setSharing(!isSharing)
  return (
    <>
      {!isTablet && (
        <SplitButton
          command={refreshForced}
          menuLabel={autoRefresh}
          items={() => [
            { command: refreshNow },
            { command: refreshForced },
            'divider',
            { heading: autoRefresh },
            ...choices(),
          ]}
        >
          {current ? current.label : t('dashboard.refresh', 'Refresh')}
        </SplitButton>
      )}
      {rights.share && (
        <SharePopover
          open={isSharing}
          onClose={() => setSharing(false)}
          makeLink={() => makeLink()}
          subject={result.dashboard_title ?? ''}
          access={rights.edit ? { kind: 'dashboard', id: result.id, name: result.dashboard_title ?? '' } : undefined}
          audience={
            result.published
              ? t('dashboard.audiencePublished', 'All users with access to its data can open this dashboard.')
              : t('dashboard.audienceDraft', 'Only owners can open this dashboard until it is published.')
          }
          anchor={
            isTablet ? (
              <IconButton icon="share" label={share} onClick={toggleSharing} />
            ) : (
              <Button icon="share" onClick={toggleSharing}>
                {share}
              </Button>
            )
          }
        />
      )}
      {rights.edit && !isPhone && <EditButton onEdit={() => setEditing(true)} />}
      <Menu items={more} label={t('dashboard.more', 'More actions')} align="end" onOpenChange={reports.onOpenChange}>
        <IconButton icon="more" label={t('dashboard.more', 'More actions')} />
      </Menu>
      {reports.element}
    </>
  )
}

function EditButton({ onEdit }: { onEdit(): void }) {
  const t = useTranslate()
  const command = useCommand({
    id: 'dashboard.edit',
    label: t('dashboard.edit', 'Edit'),
    shortcut: 'E',
    icon: 'edit',
    run: onEdit,
  })
  return <Button command={command} />
}
