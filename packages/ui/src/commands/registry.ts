import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { IconName } from '../icons/paths.ts'
import { isControlStep, isFieldStep, isPlainStep, isTyping, matchesStep, parseShortcut } from './shortcuts.ts'
import { modalDepth } from './layers.ts'

export interface Command {
  /** Unique id, such as `dashboard.refresh`. The last declared command wins. */
  id: string
  label: string
  /** `Mod+K`, `Shift+R`, `G H` (in sequence), `?`. `Mod` is Ctrl, or Cmd on macOS. */
  shortcut?: string
  /** Group in the palette and the shortcut overlay; defaults to `screen`. */
  group?: 'screen' | 'go' | 'create' | 'help' | 'list'
  icon?: IconName
  /** Additional search terms. */
  keywords?: string
  /** Disables the command and is shown as the reason. */
  disabledReason?: string
  /** Also works in fields and above dialogs, such as Ctrl-K. */
  everywhere?: boolean
  /** Not offered in the palette, such as moving in a list. */
  hidden?: boolean
  run(event?: KeyboardEvent): void
}

interface Entry {
  command: Command
  depth: number
}

let entries: readonly Entry[] = []
let commands: readonly Command[] = []
const listeners = new Set<() => void>()

const publish = (next: readonly Entry[]): void => {
  entries = next
  commands = next.map(({ command }) => command)
  for (const listener of listeners) listener()
}

/** Modal depth of these components; commands inside a dialog work while it is on top. */
export const ModalDepthContext = createContext(0)

/**
 * Declares a command while the component is mounted: its key works, the palette and the `?` overlay list it, and `Button`,
 * `IconButton` or `Menu` show its label, reason and shortcut when given the same object.
 */
export function useCommand(command: Command): Command {
  const depth = use(ModalDepthContext)
  const run = useEffectEvent((event?: KeyboardEvent) => command.run(event))
  const { id, label, shortcut, group, icon, keywords, disabledReason, everywhere, hidden } = command
  useEffect(() => {
    const entry: Entry = {
      depth,
      command: {
        id,
        label,
        run: (event) => run(event),
        ...(shortcut !== undefined && { shortcut }),
        ...(group !== undefined && { group }),
        ...(icon !== undefined && { icon }),
        ...(keywords !== undefined && { keywords }),
        ...(disabledReason !== undefined && { disabledReason }),
        ...(everywhere !== undefined && { everywhere }),
        ...(hidden !== undefined && { hidden }),
      },
    }
    publish([...entries, entry])
    return () => publish(entries.filter((other) => other !== entry))
  }, [depth, id, label, shortcut, group, icon, keywords, disabledReason, everywhere, hidden])
  return command
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns all declared commands, oldest first. */
export const useCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => commands)

const singleKeysKey = 'parquetry.singleKeys'
/** Returns true unless the user turned single-key shortcuts off (WCAG 2.1.4). */
export const areSingleKeysEnabled = (): boolean => localStorage.getItem(singleKeysKey) !== 'off'
export const setSingleKeysEnabled = (on: boolean): void => localStorage.setItem(singleKeysKey, on ? 'on' : 'off')

let typingPages = 0

/**
 * Turns off the shortcuts of a single character while the component is mounted: on a page for typing, a letter that misses the
 * editor must not navigate away. `?` stays, since it only lists the shortcuts.
 */
export function useTypingPage(): void {
  useEffect(() => {
    typingPages++
    return () => void typingPages--
  }, [])
}

/** Returns false for a shortcut that the user or the page turned off. */
export function isShortcutEnabled(shortcut: string): boolean {
  const step = parseShortcut(shortcut).at(-1)
  if (!step || !isPlainStep(step)) return true
  return areSingleKeysEnabled() && !(typingPages > 0 && step.key.length === 1 && step.key !== '?')
}

const sequenceMs = 1000
let pendingKey: { key: string; at: number } | null = null

const asTextField = (target: EventTarget | null): HTMLInputElement | HTMLTextAreaElement | null =>
  isTyping(target) && (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) ? target : null

/**
 * Blurs a field before a command runs: many fields commit their text on blur, as after a click on a button, so that a save
 * includes all of it. Then the focus returns to the field, or to its focusable container if the field was removed.
 */
function commitField(field: HTMLElement, then: () => void): void {
  const home = field.parentElement?.closest<HTMLElement>('[tabindex]')
  field.blur()
  // The committed text is rendered in the previous microtask.
  queueMicrotask(() => {
    if (document.activeElement === document.body) (field.isConnected ? field : home)?.focus({ preventScroll: true })
    then()
  })
}

/** Looks the command up again, because the committed text may have enabled or disabled it. */
function runNow(id: string, event: KeyboardEvent): void {
  const command = entries.findLast((entry) => entry.command.id === id)?.command
  if (command && !command.disabledReason) command.run(event)
}

function handleKeydown(event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
  const depth = modalDepth()
  const typing = isTyping(event.target)
  const now = performance.now()
  const before = pendingKey && now - pendingKey.at < sequenceMs ? pendingKey.key : null
  pendingKey = null
  let starts = false
  for (const { command, depth: own } of entries.toReversed()) {
    if (!command.shortcut || (own !== depth && !command.everywhere)) continue
    const [first, second] = parseShortcut(command.shortcut)
    if (!first) continue
    const last = second ?? first
    if (isControlStep(last, event.target)) continue
    if ((typing && isFieldStep(last)) || !isShortcutEnabled(command.shortcut)) continue
    const hit = second
      ? before === first.key.toLowerCase() && matchesStep(second, event)
      : before === null && matchesStep(first, event)
    if (hit) {
      const field = asTextField(event.target)
      if (command.disabledReason && !field) return
      event.preventDefault()
      if (field) commitField(field, () => runNow(command.id, event))
      else command.run(event)
      return
    }
    if (second && matchesStep(first, event)) starts = true
  }
  if (starts) pendingKey = { key: event.key.toLowerCase(), at: now }
}

window.addEventListener('keydown', handleKeydown)
