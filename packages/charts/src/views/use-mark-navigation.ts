import { useState, type KeyboardEvent } from 'react'
import type { Move, MarkRef } from '../resolve/layer.ts'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'

const moves: Record<string, Move> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
}

/**
 * Arrow-key navigation over the marks of a chart, as defined by its series types; Escape leaves it. Screen readers read
 * `announcement` at each step.
 */
export function useMarkNavigation(resolved: ResolvedChart): {
  mark: MarkRef | null
  announcement: string
  /** Returns true if the key was handled. */
  onKey: (event: KeyboardEvent) => boolean
  leave: () => void
} {
  const [mark, setMark] = useState<MarkRef | null>(null)
  const current = mark && resolved.has(mark) ? mark : null

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape' && current) {
      setMark(null)
      return true
    }
    const move = moves[event.key]
    if (!move || resolved.isEmpty) return false
    setMark(resolved.navigate(current, move) ?? current)
    return true
  }
  return { mark: current, announcement: current ? resolved.markText(current) : '', onKey, leave: () => setMark(null) }
}
