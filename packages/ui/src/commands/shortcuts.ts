const mac = /Mac|iPhone|iPad/.test(navigator.platform)

const names: Record<string, string> = {
  Mod: mac ? '⌘' : 'Ctrl',
  Alt: mac ? '⌥' : 'Alt',
  Shift: mac ? '⇧' : 'Shift',
  Enter: 'Enter',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** Returns `Mod+Shift+S` as displayed on this system, split into steps: `G H` has two. */
export const formatShortcut = (shortcut: string): string[][] =>
  shortcut
    .split(' ')
    .map((step) => splitStep(step).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key)))

/** Returns a shortcut for `aria-keyshortcuts`, such as `Control+K`. */
export const toAriaKeyShortcuts = (shortcut: string): string => shortcut.replaceAll('Mod', mac ? 'Meta' : 'Control')

const splitStep = (step: string): string[] => (step === '+' ? ['+'] : step.split('+'))

export interface ShortcutStep {
  mod: boolean
  alt: boolean
  shift: boolean
  key: string
}

export const parseShortcut = (shortcut: string): ShortcutStep[] =>
  shortcut.split(' ').map((text) => {
    const parts = splitStep(text)
    const key = parts.at(-1) ?? ''
    return { mod: parts.includes('Mod'), alt: parts.includes('Alt'), shift: parts.includes('Shift'), key }
  })

/** Characters such as `?` and `[` need Shift or Alt on some keyboards, so only the character is compared. */
const isPunctuation = (key: string): boolean => key.length === 1 && !/[a-z0-9 ]/i.test(key)

/** Letters with Alt are matched by physical key: Alt-T produces another character on some keyboards. */
export function matchesStep(step: ShortcutStep, event: KeyboardEvent): boolean {
  const mod = mac ? event.metaKey : event.ctrlKey
  const otherMod = mac ? event.ctrlKey : event.metaKey
  if (mod !== step.mod || otherMod) return false
  if (isPunctuation(step.key)) return event.key === step.key
  if (event.shiftKey !== step.shift || event.altKey !== step.alt) return false
  if (step.alt && /^[a-z]$/i.test(step.key)) return event.code === `Key${step.key.toUpperCase()}`
  if (step.alt && /^[0-9]$/.test(step.key)) return event.code === `Digit${step.key}`
  return event.key.toLowerCase() === step.key.toLowerCase()
}

/** Keys without Ctrl or Alt, which can be turned off. */
export const isPlainStep = (step: ShortcutStep): boolean => !step.mod && !step.alt && !/^F\d+$/.test(step.key)

/** Keys that belong to a focused field: plain keys, and those that select, cut, copy and paste text. */
export const isFieldStep = (step: ShortcutStep): boolean =>
  isPlainStep(step) || (step.mod && !step.alt && /^[acvx]$/i.test(step.key))

/** Keys that belong to a focused button, link or checkbox. */
export const isControlStep = (step: ShortcutStep, target: EventTarget | null): boolean =>
  isPlainStep(step) &&
  ['enter', ' '].includes(step.key.toLowerCase()) &&
  target instanceof Element &&
  target.matches('a[href], button, summary, input')

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type)
}
