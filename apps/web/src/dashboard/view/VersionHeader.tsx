import { Banner, Button, ButtonLink, PageHeader, useNavigation, useTranslate } from '@parquetry/ui'
import { formatTimestamp } from '../../shared/formats.ts'
import { useRestoreVersion } from '../../shared/history/use-restore-version.ts'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { useTitle } from '../../shared/use-title.ts'
import type { ShownVersion } from '../data/open-dashboard.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { useDashboardState } from '../state/context.ts'

/** Header of a page that shows an earlier version: says so, and offers to restore it or to go back. */
export function VersionHeader({ version }: { version: ShownVersion }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const dashboard = useDashboardState((state) => state.dashboard)
  const { id, slug } = dashboard.result
  const current = `/superset/dashboard/${encodeURIComponent(slug || id)}/`
  const { restore, restoring } = useRestoreVersion('dashboard', id, () => go(current))
  const title = titleOf(dashboard) || t('app.untitled', '[ untitled dashboard ]')
  const back = t('dashboard.version.back', 'Back to the current version')
  const isPhone = useMediaQuery(breakpoints.phone)
  const at = formatTimestamp(version.at)
  useTitle([
    t('dashboard.version.title', '{title}, version from {at}', { title, at }),
    t('dashboard.dashboards', 'Dashboards'),
  ])
  return (
    <>
      <PageHeader
        title={title}
        crumbs={[{ label: t('dashboard.dashboards', 'Dashboards'), href: '/dashboard/list/' }]}
        actions={
          <>
            <ButtonLink href={current} aria-label={back}>
              {isPhone ? t('dashboard.version.backShort', 'Back') : back}
            </ButtonLink>
            <Button variant="primary" busy={restoring !== null} onClick={() => void restore(version.n, version.at)}>
              {t('dashboard.version.restore', 'Restore this version')}
            </Button>
          </>
        }
      />
      <Banner inline tone="info">
        {version.author === null
          ? t('dashboard.version.note', 'Preview of the version from {at}. Its charts and data are those of today.', {
              at,
            })
          : t(
              'dashboard.version.noteBy',
              'Preview of the version that {author} saved on {at}. Its charts and data are those of today.',
              { author: version.author, at },
            )}
      </Banner>
    </>
  )
}
