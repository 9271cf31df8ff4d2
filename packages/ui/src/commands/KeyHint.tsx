import { formatShortcut } from './shortcuts.ts'
import styles from './KeyHint.module.css'

/** A shortcut as keys: `Mod+Shift+S` becomes Ctrl Shift S, on macOS the signs. Hidden where there is no keyboard. */
export function KeyHint({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles.hint} aria-hidden="true">
      {formatShortcut(shortcut).map((keys, step) => (
        <kbd key={step}>{keys.join(' ')}</kbd>
      ))}
    </span>
  )
}
