import { formatShortcut } from './shortcuts.ts'
import styles from './KeyHint.module.css'

/** Shows a shortcut as keys: `Mod+Shift+S` becomes Ctrl Shift S, or symbols on macOS. Hidden on devices without a keyboard. */
export function KeyHint({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles.hint} aria-hidden="true">
      {formatShortcut(shortcut).map((keys, step) => (
        <kbd key={step}>{keys.join(' ')}</kbd>
      ))}
    </span>
  )
}
