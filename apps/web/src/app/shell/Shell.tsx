import { Banner, useCommand, useNavigation, useTranslate } from '@parquetry/ui'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { useOutage } from '../../shared/online.ts'
import type { Page, NavSection } from '../../shared/page.ts'
import { BottomBar } from './BottomBar.tsx'
import { FlashMessages } from './FlashMessages.tsx'
import { GlobalCommands } from './GlobalCommands.tsx'
import { FailedChunksBanner } from './FailedChunksBanner.tsx'
import { SessionDialog } from './SessionDialog.tsx'
import { Sidebar } from './Sidebar.tsx'
import { UpdateNotice } from './UpdateNotice.tsx'
import { FileDropTarget } from './FileDropTarget.tsx'
import { useNotifications } from './use-notifications.ts'
import { useRail } from './use-rail.ts'
import styles from './Shell.module.css'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazyComponent(async () => (await loadPalette()).Palette)
const loadKeys = () => import('@parquetry/ui/commands/ShortcutsDialog.tsx')
const KeysDialog = lazyComponent(async () => (await loadKeys()).ShortcutsDialog)

const Notifications = lazyComponent(async () => (await import('./Notifications.tsx')).Notifications)

const dialogsAfterMs = 2000

export interface ShellProps {
  frame: Page['frame']
  section: NavSection | undefined
  /** The page is embedded in another one: no navigation around it. */
  standalone: boolean
  children: ReactNode
}

/** Sidebar or rail, the page, the banners above it, and everything on top: palette, shortcuts, session. */
export function Shell({ frame, section, standalone, children }: ShellProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const [rail, setRail] = useRail(frame)
  const [palette, setPalette] = useState(false)
  const [keys, setKeys] = useState(false)
  const outage = useOutage()
  const [isNotified, setNotified] = useState(false)
  const { isOn: hasNotifications, ...notifications } = useNotifications(isNotified)
  const bell = hasNotifications ? { unread: notifications.unread, onOpen: () => setNotified(true) } : null

  // Users type right after pressing Ctrl-K; keys pressed before the field exists would be lost.
  useEffect(() => {
    const timer = setTimeout(() => {
      loadPalette().catch(() => undefined)
      loadKeys().catch(() => undefined)
    }, dialogsAfterMs)
    return () => clearTimeout(timer)
  }, [])

  const search = useCommand({
    id: 'app.palette',
    label: t('app.palette.open', 'Search'),
    shortcut: 'Mod+K',
    group: 'help',
    icon: 'search',
    everywhere: true,
    hidden: true,
    run: () => setPalette((open) => !open),
  })
  useCommand({
    id: 'app.keys',
    label: t('app.keys.open', 'Keyboard shortcuts'),
    shortcut: '?',
    group: 'help',
    icon: 'keyboard',
    run: () => setKeys(true),
  })
  const toggleRail = useCommand({
    id: 'app.sidebar',
    label: rail ? t('app.sidebar.widen', 'Expand sidebar') : t('app.sidebar.narrow', 'Collapse sidebar'),
    shortcut: '[',
    group: 'help',
    icon: 'sidebar',
    run: () => setRail(!rail),
  })

  return (
    <div className={styles.shell} data-frame={frame} data-rail={rail || undefined}>
      <a href="#main" className={styles.skip}>
        {t('app.skip', 'Skip to content')}
      </a>
      <GlobalCommands go={go} />
      {!standalone && (
        <Sidebar
          rail={rail}
          section={section}
          search={search}
          toggleRail={toggleRail}
          bell={bell}
          onKeys={() => setKeys(true)}
        />
      )}
      <div className={styles.column}>
        {outage ? (
          <Banner tone="warning">
            {outage.of === 'network'
              ? t('app.offline', 'You are offline. Showing data from {time, time, short}.', { time: outage.since })
              : t(
                  'app.serverSilent',
                  'The server is not responding. Showing data from {time, time, short}. Retrying automatically…',
                  { time: outage.since },
                )}
          </Banner>
        ) : (
          <FailedChunksBanner />
        )}
        <UpdateNotice />
        <main id="main" tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      {!standalone && (
        <BottomBar section={section} bell={bell} onSearch={() => setPalette(true)} onKeys={() => setKeys(true)} />
      )}
      {palette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      {isNotified && (
        <Suspense>
          <Notifications {...notifications} onClose={() => setNotified(false)} />
        </Suspense>
      )}
      {keys && (
        <Suspense>
          <KeysDialog open onClose={() => setKeys(false)} />
        </Suspense>
      )}
      <SessionDialog />
      <FlashMessages />
      <FileDropTarget />
    </div>
  )
}
