import { Icon, Link, useTranslate, type IconName } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import type { RecentItem } from '@parquetry/model'
import { mayReadRecents, recentItemsOptions } from '../../shared/recents.ts'
import { can } from '../../shared/rights.ts'
import { useList } from '../../shared/use-resource.ts'
import styles from './Sidebar.module.css'

const maxLinks = 5
const minuteMs = 60_000

/** Favorite dashboards and recently opened objects, five each, by name only. */
export function SidebarLinks() {
  const t = useTranslate()
  const favorites = useList(
    'dashboard',
    {
      columns: ['id', 'dashboard_title', 'url', 'slug'],
      filters: [{ col: 'id', opr: 'dashboard_is_favorite', value: true }],
      order_column: 'changed_on_delta_humanized',
      order_direction: 'desc',
      page: 0,
      page_size: maxLinks,
    },
    can('can_read', 'Dashboard'),
  )
  const recents = useQuery({ ...recentItemsOptions(maxLinks), staleTime: minuteMs, enabled: mayReadRecents })
  const untitled = t('app.untitled', '[ untitled dashboard ]')
  return (
    <>
      <Group
        label={t('app.sidebar.favorites', 'Favorites')}
        items={(favorites.data?.result ?? []).map(({ url, dashboard_title }) => ({
          href: url,
          label: dashboard_title || untitled,
          icon: 'dashboard',
        }))}
      />
      <Group label={t('app.sidebar.recent', 'Recent')} items={(recents.data ?? []).map(toSidebarLink)} />
    </>
  )
}

const toSidebarLink = ({ item_title, item_url, item_type }: RecentItem) => ({
  href: item_url,
  label: item_title,
  icon: item_type,
})

function Group({ label, items }: { label: string; items: readonly { href: string; label: string; icon: IconName }[] }) {
  if (items.length === 0) return null
  return (
    <section aria-label={label}>
      <h2 className={styles.caption}>{label}</h2>
      <ul>
        {items.map(({ href, label, icon }) => (
          <li key={href}>
            <Link href={href} className={styles.small} title={label}>
              <Icon name={icon} />
              <span className={styles.label}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
