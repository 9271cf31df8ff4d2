import {
  Avatar,
  Dialog,
  Menu,
  setDensity,
  setSingleKeysEnabled,
  setTheme,
  areSingleKeysEnabled,
  toastHistory,
  useDensity,
  useNavigation,
  useTranslate,
  useThemeChoice,
  type MenuItem,
} from '@parquetry/ui'
import { Suspense, useState, type ReactNode } from 'react'
import { boot } from '../../shared/boot.ts'
import { formatTime } from '../../shared/formats.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import styles from './Sidebar.module.css'
import menuStyles from './UserMenu.module.css'

const PasswordDialog = lazyComponent(async () => (await import('../../shared/PasswordDialog.tsx')).PasswordDialog)

const { user, common } = boot
/** Time zone of the browser, in which times are shown. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ') || (user.username ?? '')

/** Items of the user menu, for the sidebar and for "More" on phones, and the dialogs that they open. */
export function useUserMenu(onKeys: () => void): { items: MenuItem[]; dialogs: ReactNode } {
  const t = useTranslate()
  const [dialog, setDialog] = useState<'messages' | 'password' | null>(null)
  const close = (): void => setDialog(null)
  const { go } = useNavigation()
  const theme = useThemeChoice()
  const density = useDensity()
  const [keysOn, setKeysOn] = useState(areSingleKeysEnabled)
  const version = common.menu_data.navbar_right['version_string']
  const items: MenuItem[] = [
    {
      label: t('app.user.theme', 'Theme'),
      icon: 'sun',
      items: [
        { label: t('app.theme.system', 'System'), checked: theme === 'system', onSelect: () => setTheme('system') },
        { label: t('app.theme.light', 'Light'), checked: theme === 'light', onSelect: () => setTheme('light') },
        { label: t('app.theme.dark', 'Dark'), checked: theme === 'dark', onSelect: () => setTheme('dark') },
      ],
    },
    {
      label: t('app.user.density', 'Density'),
      icon: 'rows',
      items: [
        {
          label: t('app.density.compact', 'Compact'),
          checked: density === 'compact',
          onSelect: () => setDensity('compact'),
        },
        {
          label: t('app.density.comfortable', 'Comfortable'),
          checked: density === 'comfortable',
          onSelect: () => setDensity('comfortable'),
        },
      ],
    },
    {
      label: t('app.user.keys', 'Keyboard'),
      icon: 'keyboard',
      items: [
        { label: t('app.keys.open', 'Keyboard shortcuts'), shortcut: '?', onSelect: onKeys },
        {
          label: keysOn
            ? t('app.keys.singleOff', 'Turn off single-key shortcuts')
            : t('app.keys.singleOn', 'Turn on single-key shortcuts'),
          onSelect: () => {
            setSingleKeysEnabled(!keysOn)
            setKeysOn(!keysOn)
          },
        },
      ],
    },
    { label: t('app.user.messages', 'Recent messages'), icon: 'history', onSelect: () => setDialog('messages') },
    ...(user.isAnonymous
      ? []
      : [
          { label: t('account.title', 'Your account'), icon: 'user' as const, onSelect: () => go('/user_info/') },
          {
            label: t('app.password.title', 'Change password'),
            icon: 'lock' as const,
            onSelect: () => setDialog('password'),
          },
        ]),
    'divider',
    { heading: t('app.user.zone', 'Times are in {zone}', { zone: timeZone }) },
    ...(typeof version === 'string' && version ? [{ heading: `Parquetry ${version}` }] : []),
    user.isAnonymous
      ? { label: t('app.user.signIn', 'Sign in'), icon: 'user' as const, onSelect: () => location.assign('/login/') }
      : {
          label: t('app.user.signOut', 'Sign out'),
          icon: 'sign-out' as const,
          onSelect: () => location.assign('/logout/'),
        },
  ]
  const dialogs = (
    <>
      <MessagesDialog open={dialog === 'messages'} onClose={close} />
      {dialog === 'password' && (
        <Suspense>
          <PasswordDialog onClose={close} />
        </Suspense>
      )}
    </>
  )
  return { items, dialogs }
}

export function UserMenu({ rail, onKeys }: { rail: boolean; onKeys(): void }) {
  const t = useTranslate()
  const { items, dialogs } = useUserMenu(onKeys)
  const name = user.isAnonymous ? t('app.user.guest', 'Guest') : fullName
  return (
    <div className={styles.user}>
      <Menu items={items} label={t('app.user.menu', 'Account menu for {name}', { name })} side="top">
        <button
          type="button"
          className={styles.item}
          aria-label={rail ? t('app.user.menu', 'Account menu for {name}', { name }) : undefined}
        >
          <Avatar person={{ first_name: user.firstName, last_name: user.lastName, username: user.username }} plain />
          {!rail && <span className={styles.label}>{name}</span>}
        </button>
      </Menu>
      {dialogs}
    </div>
  )
}

function MessagesDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useTranslate()
  const messages = toastHistory()
  return (
    <Dialog open={open} onClose={onClose} title={t('app.user.messages', 'Recent messages')}>
      {messages.length === 0 ? (
        <p>{t('app.messages.none', 'No messages yet.')}</p>
      ) : (
        <ul className={menuStyles.messages}>
          {messages.map(({ id, at, text }) => (
            <li key={id}>
              <time dateTime={at.toISOString()}>{formatTime(at)}</time>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
