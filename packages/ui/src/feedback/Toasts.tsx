import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../buttons/Button.tsx'
import { IconButton } from '../buttons/IconButton.tsx'
import { useCommand } from '../commands/registry.ts'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { aboveAllProps } from '../overlays/inert.ts'
import { useTranslate } from '../theme/i18n.ts'
import { closeToast, currentToasts, subscribeToasts, type Toast } from './toast.ts'
import styles from './Toasts.module.css'

const maxShown = 3
const icons: Record<Toast['kind'], IconName> = { info: 'info', success: 'success', warning: 'warning', error: 'error' }

export function Toasts() {
  const t = useTranslate()
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts)
  const [held, setHeld] = useState(false)
  useCommand({
    id: 'ui.toasts.focus',
    label: t('ui.toasts.focus', 'Go to latest message'),
    shortcut: 'Alt+N',
    group: 'help',
    hidden: true,
    everywhere: true,
    run: () => document.querySelector<HTMLElement>('[data-newest-toast] button')?.focus(),
  })
  const visible = toasts.slice(-maxShown)
  return createPortal(
    <section
      {...aboveAllProps}
      className={styles.toasts}
      aria-label={t('ui.toasts.label', 'Messages')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="status" className={styles.group}>
        {visible
          .filter(({ kind }) => kind !== 'error')
          .map((toast) => (
            <Item key={toast.id} toast={toast} held={held} newest={toast === visible.at(-1)} />
          ))}
      </div>
      <div role="alert" className={styles.group}>
        {visible
          .filter(({ kind }) => kind === 'error')
          .map((toast) => (
            <Item key={toast.id} toast={toast} held={held} newest={toast === visible.at(-1)} />
          ))}
      </div>
    </section>,
    document.body,
  )
}

function Item({ toast, held, newest }: { toast: Toast; held: boolean; newest: boolean }) {
  const t = useTranslate()
  const { id, kind, text, action, times } = toast
  useEffect(() => {
    if (held || kind === 'error') return
    const timer = setTimeout(() => closeToast(id), action ? 8000 : 5000)
    return () => clearTimeout(timer)
  }, [held, kind, action, id])
  return (
    <div className={`${styles.toast} ${styles[kind]}`} data-newest-toast={newest || undefined}>
      <Icon name={icons[kind]} className={styles.icon} />
      <p className={styles.text}>
        {text}
        {times > 1 && <span className={styles.times}> ×{times}</span>}
      </p>
      {action && (
        <Button
          variant="quiet"
          className={styles.action}
          onClick={() => {
            closeToast(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label={t('ui.toast.close', 'Close message')} onClick={() => closeToast(id)} />
    </div>
  )
}
