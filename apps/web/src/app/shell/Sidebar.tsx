import {
  Icon,
  IconButton,
  KeyHint,
  Link,
  Menu,
  Tooltip,
  useNavigation,
  useTranslate,
  type Command,
} from '@parquetry/ui'
import type { NavSection } from '../../shared/page.ts'
import { Logo } from '../../shared/Logo.tsx'
import { boot } from '../../shared/boot.ts'
import { listCreateActions, listNavEntries, type NavEntry } from '../../shared/nav-entries.ts'
import { SidebarLinks } from './SidebarLinks.tsx'
import { UserMenu } from './UserMenu.tsx'
import bellStyles from './Notifications.module.css'
import styles from './Sidebar.module.css'

/** Opens the notifications; null without them. */
export interface NotificationBell {
  unread: number
  onOpen(): void
}

export interface SidebarProps {
  rail: boolean
  section: NavSection | undefined
  search: Command
  toggleRail: Command
  bell: NotificationBell | null
  onKeys(): void
}

/** 216 px wide, or a rail of 48 px with labels as tooltips. */
export function Sidebar({ rail, section, search, toggleRail, bell, onKeys }: SidebarProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const all = listNavEntries(t)
  const parent = all.find((entry) => entry.section === section)?.parent ?? section
  const createActions = listCreateActions(t)
  return (
    <nav className={styles.sidebar} aria-label={t('app.nav.label', 'Main')} data-rail={rail || undefined} data-pane>
      <div className={styles.head}>
        <Link href="/superset/welcome/" className={styles.brand} aria-label={t('app.brand', 'Parquetry home')}>
          <Logo />
          {!rail && <span>Parquetry</span>}
        </Link>
        {!rail && <IconButton icon="chevron-left" label={toggleRail.label} command={toggleRail} />}
      </div>
      <ul className={styles.group}>
        {rail && (
          <li>
            <Action rail icon="chevron-right" label={toggleRail.label} shortcut="[" onClick={() => toggleRail.run()} />
          </li>
        )}
        <li>
          <Action rail={rail} icon="search" label={search.label} shortcut="Mod+K" onClick={() => search.run()} />
        </li>
        {createActions.length > 0 && (
          <li>
            <Menu
              label={t('app.create.menu', 'Create')}
              side={rail ? 'right' : 'bottom'}
              items={createActions.map(({ label, icon, href }) => ({ label, icon, onSelect: () => go(href) }))}
            >
              <Action rail={rail} icon="plus" label={t('app.create.menu', 'Create')} shortcut="C" data-create-menu />
            </Menu>
          </li>
        )}
      </ul>
      <ul className={styles.group}>
        {all
          .filter((entry) => entry.parent === undefined || (!rail && entry.parent === parent))
          .map((entry) => (
            <li key={entry.section}>
              <Entry
                place={entry}
                rail={rail}
                current={entry.section === section || (rail && entry.section === parent)}
              />
            </li>
          ))}
      </ul>
      <div className={styles.shortcuts}>{!rail && !boot.user.isAnonymous && <SidebarLinks />}</div>
      {bell && (
        <div className={styles.group}>
          <Bell rail={rail} {...bell} />
        </div>
      )}
      <UserMenu rail={rail} onKeys={onKeys} />
    </nav>
  )
}

function Entry({ place, rail, current }: { place: NavEntry; rail: boolean; current: boolean }) {
  const { label, href, icon, shortcut, parent } = place
  const link = (
    <Link
      href={href}
      className={styles.item}
      aria-current={current ? 'page' : undefined}
      aria-label={rail ? label : undefined}
      data-second={parent !== undefined || undefined}
    >
      <Icon name={icon} size={20} />
      {!rail && <span className={styles.label}>{label}</span>}
    </Link>
  )
  return rail ? (
    <Tooltip text={label} shortcut={shortcut}>
      {link}
    </Tooltip>
  ) : (
    link
  )
}

interface ActionProps extends React.ComponentProps<'button'> {
  rail: boolean
  icon: 'search' | 'plus' | 'chevron-right'
  label: string
  shortcut: string
}

function Action({ rail, icon, label, shortcut, ...rest }: ActionProps) {
  const button = (
    <button type="button" {...rest} className={styles.item} aria-label={rail ? label : undefined}>
      <Icon name={icon} size={20} />
      {!rail && (
        <>
          <span className={styles.label}>{label}</span>
          <KeyHint shortcut={shortcut} />
        </>
      )}
    </button>
  )
  return rail ? (
    <Tooltip text={label} shortcut={shortcut}>
      {button}
    </Tooltip>
  ) : (
    button
  )
}

function Bell({ rail, unread, onOpen }: NotificationBell & { rail: boolean }) {
  const t = useTranslate()
  const label =
    unread > 0
      ? t('notifications.open', 'Notifications, {unread, number} unread', { unread })
      : t('notifications.title', 'Notifications')
  const button = (
    <button type="button" className={styles.item} aria-label={label} aria-haspopup="dialog" onClick={onOpen}>
      <span className={bellStyles.bell}>
        <Icon name="alert" size={20} />
        {rail && unread > 0 && <span className={bellStyles.dot} />}
      </span>
      {!rail && (
        <>
          <span className={styles.label}>{t('notifications.title', 'Notifications')}</span>
          {unread > 0 && <span className={bellStyles.count}>{unread > 99 ? '99+' : unread}</span>}
        </>
      )}
    </button>
  )
  return rail ? <Tooltip text={label}>{button}</Tooltip> : button
}
