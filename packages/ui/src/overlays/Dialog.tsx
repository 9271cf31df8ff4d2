import { useLayoutEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../buttons/IconButton.tsx'
import { modalDepth, useOverlayLayer } from '../commands/layers.ts'
import { ModalDepthContext } from '../commands/registry.ts'
import { useTranslate } from '../theme/i18n.ts'
import { lockScroll } from './lock-scroll.ts'
import { trapTab, useFocusScope } from './use-focus.ts'
import styles from './Dialog.module.css'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  /** Description below the title. */
  description?: ReactNode
  children?: ReactNode
  /**
   * Buttons at the right of the sticky footer: cancel first, the primary button last, with `type="submit"` if `onSubmit` is set.
   */
  footer?: ReactNode
  width?: 480 | 720 | 960 | 1090
  /** Makes the dialog a form; called on Enter in a field and on Ctrl-Enter anywhere. */
  onSubmit?: () => void
  /** Asks for confirmation before Esc, the close button or the scrim discards input. */
  dirty?: boolean
  /** Cannot be closed by the user: no close button, no Esc. */
  blocking?: boolean
  role?: 'dialog' | 'alertdialog'
  /** A long text without controls: the keyboard can scroll it. */
  isText?: boolean
  /** Class of the body, for dialogs with panes. */
  bodyClass?: string | undefined
}

/**
 * A modal dialog: focus moves to the first field (`data-autofocus`) and back on closing. The page below is inert meanwhile, but
 * not what opens from the dialog. Full screen under 576 px.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog({
  onClose,
  title,
  description,
  children,
  footer,
  width = 480,
  onSubmit,
  dirty,
  blocking,
  role = 'dialog',
  isText,
  bodyClass,
}: DialogProps) {
  const t = useTranslate()
  const id = useId()
  const [depth] = useState(() => modalDepth() + 1)
  const [isAsking, setIsAsking] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useFocusScope(box, true, true)

  const leave = (): void => {
    if (blocking) return
    if (dirty && !isAsking) setIsAsking(true)
    else onClose()
  }
  useOverlayLayer(true, leave, true)
  useLayoutEffect(lockScroll, [])

  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault()
    // A dialog inside a form of the React tree must not submit that form as well.
    event.stopPropagation()
    onSubmit?.()
  }
  const inside = (
    <>
      <header className={styles.header}>
        <h2 id={`${id}-title`}>{title}</h2>
        {!blocking && <IconButton icon="close" label={t('ui.dialog.close', 'Close')} onClick={leave} />}
      </header>
      <div className={[styles.body, bodyClass].filter(Boolean).join(' ')} tabIndex={isText ? 0 : undefined}>
        {description && (
          <div id={`${id}-description`} className={styles.description}>
            {description}
          </div>
        )}
        {children}
      </div>
      {(footer || isAsking) && (
        <footer className={styles.footer}>
          {isAsking && dirty && (
            <p className={styles.asked} role="alert">
              {t('ui.dialog.discard', 'Your changes are not saved. Close again to discard them.')}
            </p>
          )}
          {footer}
        </footer>
      )}
    </>
  )
  return createPortal(
    <ModalDepthContext value={depth}>
      <div
        className={styles.scrim}
        onMouseDown={(event) => event.target === event.currentTarget && leave()}
        onKeyDown={(event) => onSubmit && event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
      >
        <div
          ref={box}
          role={role}
          aria-modal
          aria-labelledby={`${id}-title`}
          aria-describedby={description ? `${id}-description` : undefined}
          tabIndex={-1}
          onKeyDown={trapTab}
          className={styles.dialog}
          style={{ maxWidth: width }}
        >
          {onSubmit ? (
            <form className={styles.form} noValidate onSubmit={submit}>
              {inside}
            </form>
          ) : (
            inside
          )}
        </div>
      </div>
    </ModalDepthContext>,
    document.body,
  )
}
