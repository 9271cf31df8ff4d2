import { Icon, Link, Menu, useNavigation, useTranslate } from '@parquetry/ui'
import type { NavSection } from '../../shared/page.ts'
import { listCreateActions, listNavEntries } from '../../shared/nav-entries.ts'
import type { NotificationBell } from './Sidebar.tsx'
import { useUserMenu } from './UserMenu.tsx'
import styles from './BottomBar.module.css'

export interface BottomBarProps {
  section: NavSection | undefined
  bell: NotificationBell | null
  onSearch(): void
  onKeys(): void
}

/** Replaces the sidebar below 768 px: Home, Dashboards, Search, Create, More. */
export function BottomBar({ section, bell, onSearch, onKeys }: BottomBarProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const all = listNavEntries(t)
  const first = all.filter((entry) => entry.section === 'home' || entry.section === 'dashboards')
  const rest = all.filter((entry) => !first.includes(entry))
  const { items: userItems, dialogs } = useUserMenu(onKeys)
  const createActions = listCreateActions(t)
  return (
    <nav className={styles.bar} aria-label={t('app.nav.phone', 'Main (compact)')}>
      {first.map((entry) => (
        <Link
          key={entry.section}
          href={entry.href}
          className={styles.item}
          aria-current={entry.section === section ? 'page' : undefined}
        >
          <Icon name={entry.icon} size={20} />
          {entry.label}
        </Link>
      ))}
      <button type="button" className={styles.item} onClick={onSearch}>
        <Icon name="search" size={20} />
        {t('app.palette.open', 'Search')}
      </button>
      {createActions.length > 0 && (
        <Menu
          side="top"
          label={t('app.create.menu', 'Create')}
          items={createActions.map(({ label, icon, href }) => ({ label, icon, onSelect: () => go(href) }))}
        >
          <button type="button" className={styles.item}>
            <Icon name="plus" size={20} />
            {t('app.create.menu', 'Create')}
          </button>
        </Menu>
      )}
      <Menu
        side="top"
        align="end"
        label={t('app.nav.more', 'More')}
        items={[
          ...rest.map(({ label, icon, href }) => ({ label, icon, onSelect: () => go(href) })),
          'divider',
          ...(bell
            ? [
                {
                  label:
                    bell.unread > 0
                      ? t('notifications.open', 'Notifications, {unread, number} unread', { unread: bell.unread })
                      : t('notifications.title', 'Notifications'),
                  icon: 'alert' as const,
                  onSelect: bell.onOpen,
                },
              ]
            : []),
          ...userItems,
        ]}
      >
        <button type="button" className={styles.item}>
          <Icon name="menu" size={20} />
          {t('app.nav.more', 'More')}
        </button>
      </Menu>
      {dialogs}
    </nav>
  )
}
