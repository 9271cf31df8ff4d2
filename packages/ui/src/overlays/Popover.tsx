import { cloneElement, useCallback, useRef, type AriaAttributes, type ReactElement, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useOverlayLayer } from '../commands/layers.ts'
import type { Placement } from './compute-position.ts'
import { useFloating } from './use-floating.ts'
import { trapTab, useFocusScope } from './use-focus.ts'
import { usePressOutside } from './use-press-outside.ts'
import styles from './floating.module.css'

export interface PopoverProps {
  open: boolean
  onClose(): void
  /** The anchor element, which gets `aria-expanded`. */
  anchor: ReactElement
  /** Accessible name. */
  label: string
  children: ReactNode
  width?: number | 'target'
  placement?: Placement
  /** Moves the focus inside and traps it, for popovers with fields (the default). */
  trapFocus?: boolean
  /** Closes on a click outside; disable it while input would be lost. */
  closeOnOutside?: boolean
  /** Without padding, for lists. */
  flush?: boolean
  /** Adds a resize handle at the corner; `width` and the content height are the minimum size. */
  resizable?: boolean
}

/**
 * Floats 8 px from its anchor and flips to the side with enough space; a sheet on phones. Esc closes it and restores the focus.
 */
export function Popover({ anchor, open, ...rest }: PopoverProps) {
  const holder = useRef<HTMLSpanElement>(null)
  const anchorElement = useCallback(() => holder.current?.firstElementChild, [])
  return (
    <>
      <span ref={holder} className={styles.anchor}>
        {cloneElement(anchor as ReactElement<AriaAttributes>, { 'aria-expanded': open, 'aria-haspopup': 'dialog' })}
      </span>
      {open && <Panel {...rest} anchorElement={anchorElement} />}
    </>
  )
}

type PanelProps = Omit<PopoverProps, 'anchor' | 'open'> & { anchorElement: () => Element | null | undefined }

function Panel(props: PanelProps) {
  const { anchorElement, onClose, label, children, width, placement = 'bottom-start', flush, resizable } = props
  const { trapFocus = true, closeOnOutside = true } = props
  const panel = useRef<HTMLDivElement>(null)
  const style = useFloating(anchorElement, panel, { placement, gap: 8, matchWidth: width === 'target' })
  const outside = usePressOutside(closeOnOutside, anchorElement, onClose)
  useOverlayLayer(true, onClose)
  useFocusScope(panel, trapFocus)
  return createPortal(
    <div
      {...outside}
      ref={panel}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={`${styles.dropdown} ${flush ? styles.flush : styles.panel}`}
      data-resizable={resizable || undefined}
      style={{ ...style, ...(typeof width === 'number' && { width, ...(resizable && { minWidth: width }) }) }}
      onKeyDown={trapFocus ? trapTab : undefined}
    >
      {children}
    </div>,
    document.body,
  )
}
