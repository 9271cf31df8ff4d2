import { useEffect, useRef, type FocusEvent, type PointerEvent } from 'react'
import { useActions, useDashboardState } from './context.ts'
import { outlined, type Outlinable } from './outline.ts'

/**
 * Event handlers for an element that outlines others while it or a part of it is hovered or has keyboard focus. A clicked field
 * keeps the focus, but outlines only while it is hovered.
 * @param reach returns the items to outline for the hovered or focused part
 */
export function useOutlining(reach: (part: Element) => readonly Outlinable[]) {
  const { outline } = useActions()
  const isFocusByPointer = useRef(false)
  const hasOutlined = useRef(false)
  useEffect(
    () => () => {
      if (!hasOutlined.current) return
      outline('pointer', [])
      outline('focus', [])
    },
    [outline],
  )
  return {
    onPointerOver: ({ target }: PointerEvent) => {
      hasOutlined.current = true
      outline('pointer', reach(target as Element))
    },
    onPointerLeave: () => outline('pointer', []),
    onPointerDown: () => void (isFocusByPointer.current = true),
    onKeyDown: () => void (isFocusByPointer.current = false),
    onFocus: ({ target }: FocusEvent) => {
      hasOutlined.current = true
      outline('focus', !isFocusByPointer.current && target.matches(':focus-visible') ? reach(target) : [])
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) isFocusByPointer.current = false
      outline('focus', [])
    },
  }
}

export const useIsOutlined = (id: Outlinable | undefined): boolean =>
  useDashboardState(({ outlines }) => id !== undefined && outlined(outlines).includes(id))
