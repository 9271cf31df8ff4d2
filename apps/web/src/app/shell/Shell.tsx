import { Strip, useCommand, useNavigation, useText } from '@parquetry/ui'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { lazyPart } from '../../shared/lazy-part.tsx'
import { useSilence } from '../../shared/online.ts'
import type { Page, Section } from '../../shared/page.ts'
import { BottomBar } from './BottomBar.tsx'
import { FlashMessages } from './FlashMessages.tsx'
import { GlobalCommands } from './GlobalCommands.tsx'
import { MissingParts } from './MissingParts.tsx'
import { SessionDialog } from './SessionDialog.tsx'
import { Sidebar } from './Sidebar.tsx'
import { UpdateNotice } from './UpdateNotice.tsx'
import { Uploads } from './Uploads.tsx'
import { useRail } from './rail.ts'
import styles from './Shell.module.css'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazyPart(async () => (await loadPalette()).Palette)
const loadKeys = () => import('@parquetry/ui/commands/KeysDialog.tsx')
const KeysDialog = lazyPart(async () => (await loadKeys()).KeysDialog)

const dialogsAfterMs = 2000

export interface ShellProps {
  frame: Page['frame']
  section: Section | undefined
  /** For a page in a frame of another one: no way to other pages around it. */
  standalone: boolean
  children: ReactNode
}

/** Sidebar or rail, the page, the strips above it, and what is over all of them: palette, keys, session. */
export function Shell({ frame, section, standalone, children }: ShellProps) {
  const t = useText()
  const { go } = useNavigation()
  const [rail, setRail] = useRail(frame)
  const [palette, setPalette] = useState(false)
  const [keys, setKeys] = useState(false)
  const silence = useSilence()

  // Who presses Ctrl-K types on at once: what came before the field is there would be lost.
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
        <Sidebar rail={rail} section={section} search={search} toggleRail={toggleRail} onKeys={() => setKeys(true)} />
      )}
      <div className={styles.column}>
        {silence ? (
          <Strip tone="warning">
            {silence.of === 'network'
              ? t('app.offline', 'You are offline. Showing data from {time, time, short}.', { time: silence.since })
              : t(
                  'app.serverSilent',
                  'The server is not responding. Showing data from {time, time, short}. Retrying automatically…',
                  { time: silence.since },
                )}
          </Strip>
        ) : (
          <MissingParts />
        )}
        <UpdateNotice />
        <main id="main" tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      {!standalone && <BottomBar section={section} onSearch={() => setPalette(true)} onKeys={() => setKeys(true)} />}
      {palette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      {keys && (
        <Suspense>
          <KeysDialog open onClose={() => setKeys(false)} />
        </Suspense>
      )}
      <SessionDialog />
      <FlashMessages />
      <Uploads />
    </div>
  )
}
