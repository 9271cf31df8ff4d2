import { cloneElement, type FocusEvent, type PointerEvent, type ReactElement } from 'react'
import { hideTip, showTip } from './tips.ts'

interface AnchorProps {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: (event: FocusEvent<HTMLElement>) => void
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void
  'aria-label'?: string | undefined
  'aria-description'?: string | undefined
}

export interface TooltipProps {
  text: string
  shortcut?: string | undefined
  /** A single element that accepts pointer and focus events. */
  children: ReactElement<AnchorProps>
}

/**
 * Describes an element after 400 ms of hovering, or immediately on focus. Never the only source of information: screen readers
 * get the same text as the description, unless it is already the name. A single element of the page renders all tooltips
 * (`TooltipHost`).
 */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const own = children.props
  return cloneElement(children, {
    'aria-description': own['aria-label'] === text ? undefined : text,
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== 'touch') showTip({ anchor: event.currentTarget, text, shortcut })
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      own.onPointerLeave?.(event)
      hideTip(undefined, event.currentTarget)
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) showTip({ anchor: event.currentTarget, text, shortcut }, 0)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      own.onBlur?.(event)
      hideTip(0, event.currentTarget)
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      own.onPointerDown?.(event)
      hideTip(0)
    },
  })
}
