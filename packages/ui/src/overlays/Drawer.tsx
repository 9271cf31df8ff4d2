import { useId, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../buttons/IconButton.tsx'
import { modalDepth, useOverlayLayer } from '../commands/layers.ts'
import { ModalDepthContext } from '../commands/registry.ts'
import { useTranslate } from '../theme/i18n.ts'
import { trapTab, useFocusScope } from './use-focus.ts'
import styles from './Dialog.module.css'

export interface DrawerProps {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  footer?: ReactNode
  /** In pixels; the drawer is narrower in small windows. */
  width?: 280 | 320 | 400 | 960
  side?: 'end' | 'start'
  /** For editing: adds a scrim, traps the focus and blocks the page's shortcuts. Otherwise the page stays usable. */
  modal?: boolean
  /** With `modal`: closes on a click outside, which is the default. */
  closeOnOutside?: boolean
}

/** A panel at the side of the window, above the page. */
export function Drawer(props: DrawerProps) {
  return props.open ? <OpenDrawer {...props} /> : null
}

function OpenDrawer({
  onClose,
  title,
  children,
  footer,
  width = 400,
  side = 'end',
  modal = false,
  closeOnOutside = true,
}: DrawerProps) {
  const t = useTranslate()
  const id = useId()
  const [depth] = useState(() => modalDepth() + (modal ? 1 : 0))
  const box = useRef<HTMLDivElement>(null)
  useFocusScope(box, true, modal)
  useOverlayLayer(true, onClose, modal)
  const panel = (
    <div
      ref={box}
      role="dialog"
      aria-modal={modal || undefined}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={modal ? trapTab : undefined}
      className={`${styles.drawer} ${side === 'start' ? styles.start : ''}`}
      style={{ maxWidth: width }}
    >
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('ui.dialog.close', 'Close')} onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </div>
  )
  return createPortal(
    <ModalDepthContext value={depth}>
      {modal ? (
        <div
          className={styles.scrim}
          onMouseDown={(event) => closeOnOutside && event.target === event.currentTarget && onClose()}
        >
          {panel}
        </div>
      ) : (
        panel
      )}
    </ModalDepthContext>,
    document.body,
  )
}
