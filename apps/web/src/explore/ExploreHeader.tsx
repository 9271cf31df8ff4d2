import {
  Button,
  IconButton,
  Menu,
  PageHeader,
  FavoriteButton,
  StatusChip,
  useCommand,
  useTranslate,
  type Command,
  type MenuItem,
} from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { can } from '../shared/rights.ts'
import { SharePopover } from '../shared/sharing/SharePopover.tsx'
import { useFavorites } from '../shared/use-favorites.ts'
import { useMediaQuery, breakpoints } from '../shared/use-media-query.ts'

export interface ExploreHeaderProps {
  title: string
  /** The saved chart, which can be added to favorites; null for a new one. */
  sliceId: number | null
  isDirty: boolean
  onRename?: ((title: string) => void) | undefined
  undo: Command
  redo: Command
  save: Command
  menu: MenuItem[]
  onMenuOpen(open: boolean): void
  /** State that a link stores: the edited form with its dataset and chart. */
  shared: Record<string, unknown>
  /** Describes who can open the link. */
  audience: string
}

/** Name, state and actions of the chart being edited. */
export function ExploreHeader(props: ExploreHeaderProps) {
  const { title, sliceId, isDirty, onRename, undo, redo, save, menu, onMenuOpen, shared, audience } = props
  const t = useTranslate()
  const isPhone = useMediaQuery(breakpoints.phone)
  const [sharing, setSharing] = useState(false)
  const toggle = (): void => setSharing((now) => !now)
  return (
    <PageHeader
      title={title}
      crumbs={[{ label: t('explore.title', 'Charts'), href: '/chart/list/' }]}
      {...(onRename && { onRename })}
      marks={
        <>
          {sliceId !== null && <ChartStar id={sliceId} name={title} />}
          {isDirty && <StatusChip tone="neutral">{t('explore.unsaved', 'Unsaved changes')}</StatusChip>}
        </>
      }
      actions={
        <>
          {!isPhone && <IconButton icon="undo" label={undo.label} command={undo} />}
          {!isPhone && <IconButton icon="redo" label={redo.label} command={redo} />}
          {can('can_share_chart', 'Superset') && (
            <SharePopover
              open={sharing}
              onClose={() => setSharing(false)}
              anchor={
                isPhone ? (
                  <IconButton icon="share" label={t('explore.share', 'Share')} onClick={toggle} />
                ) : (
                  <Button icon="share" onClick={toggle}>
                    {t('explore.share', 'Share')}
                  </Button>
                )
              }
              makeLink={async () => {
                const body = { formData: shared }
                return (await api.post('/api/v1/explore/permalink', { body })).url
              }}
              audience={audience}
              subject={title}
              embeds
            />
          )}
          {can('can_write', 'Chart') && <Button variant="primary" command={save} />}
          <Menu
            items={isPhone ? [{ command: undo }, { command: redo }, ...menu] : menu}
            label={t('explore.more', 'Chart actions')}
            align="end"
            onOpenChange={onMenuOpen}
          >
            <IconButton icon="more" label={t('explore.more', 'Chart actions')} />
          </Menu>
        </>
      }
    />
  )
}

function ChartStar({ id, name }: { id: number; name: string }) {
  const t = useTranslate()
  const favorites = useFavorites('chart', [id], {
    failed: t('explore.star.failed', 'An error occurred while starring this chart'),
  })
  const isOn = favorites.has(id)
  useCommand({
    id: 'explore.star',
    label: isOn
      ? t('explore.star.remove', 'Remove chart from favorites')
      : t('explore.star.add', 'Add chart to favorites'),
    shortcut: 'S',
    icon: 'star',
    run: () => favorites.set(id, !isOn),
  })
  return <FavoriteButton isFavorite={isOn} name={name} onChange={(on) => favorites.set(id, on)} />
}
