import { Dialog } from '../overlays/Dialog.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { KeyHint } from './KeyHint.tsx'
import { isShortcutEnabled, useCommands, type Command } from './registry.ts'
import styles from './ShortcutsDialog.module.css'

export interface ShortcutsDialogProps {
  open: boolean
  onClose(): void
}

/** Lists the shortcuts that currently work. */
export function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps) {
  const t = useTranslate()
  const commands = useCommands()
  const groups: [string, (command: Command) => boolean][] = [
    [t('ui.keys.screen', 'This page'), ({ group }) => group === undefined || group === 'screen'],
    [t('ui.keys.list', 'Lists'), ({ group }) => group === 'list'],
    [t('ui.keys.go', 'Go to'), ({ group }) => group === 'go'],
    [t('ui.keys.everywhere', 'Everywhere'), ({ group }) => group === 'create' || group === 'help'],
  ]
  const withKeys = [...new Map(commands.map((command) => [command.id, command])).values()].filter(
    ({ shortcut }) => shortcut !== undefined && isShortcutEnabled(shortcut),
  )
  return (
    <Dialog
      isText
      open={open}
      onClose={onClose}
      title={t('ui.keys.title', 'Keyboard shortcuts')}
      width={720}
      bodyClass={styles.body}
    >
      {groups.map(([label, belongs]) => {
        const members = withKeys.filter(belongs)
        return (
          members.length > 0 && (
            <section key={label}>
              <h3>{label}</h3>
              <dl className={styles.keys}>
                {members.map((command) => (
                  <div key={command.id}>
                    <dt>{command.label}</dt>
                    <dd>
                      <KeyHint shortcut={command.shortcut ?? ''} />
                      <span className="visually-hidden">{command.shortcut}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        )
      })}
    </Dialog>
  )
}
