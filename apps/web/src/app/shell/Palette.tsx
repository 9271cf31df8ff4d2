import {
  CommandPalette,
  fuzzyScore,
  useCommands,
  useNavigation,
  useTranslate,
  type PaletteGroup,
  type PaletteItem,
} from '@parquetry/ui'
import { useState } from 'react'
import { useGlobalSearch } from './use-global-search.ts'

const maxCommands = 8

/** Ctrl-K: actions of this screen, objects to open, objects to create, help. `>` narrows to actions. */
export function Palette({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const [text, setText] = useState('')
  const onlyActions = text.startsWith('>')
  const wanted = onlyActions ? text.slice(1) : text
  const commands = useCommands()
  const found = useGlobalSearch(onlyActions ? null : wanted)

  const actions = (belongs: (group: string) => boolean): PaletteItem[] => {
    const byId = new Map(commands.filter((command) => !command.hidden).map((command) => [command.id, command]))
    return [...byId.values()]
      .filter(({ group = 'screen' }) => belongs(group))
      .map((command) => ({ command, score: fuzzyScore(wanted, `${command.label} ${command.keywords ?? ''}`) }))
      .filter(({ score, command }) => score > 0 && command.disabledReason === undefined)
      .toSorted((a, b) => b.score - a.score)
      .map(({ command }) => ({
        id: command.id,
        label: command.label,
        icon: command.icon ?? 'arrow-right',
        ...(command.shortcut !== undefined && { shortcut: command.shortcut }),
        run: () => command.run(),
      }))
  }
  const open: PaletteItem[] = found.items.map((item) => ({ ...item, run: () => go(item.href) }))
  const all: PaletteGroup[] = [
    {
      id: 'screen',
      label: t('app.palette.screen', 'On this page'),
      items: actions((group) => group === 'screen').slice(0, maxCommands),
    },
    { id: 'open', label: t('app.palette.openGroup', 'Open'), items: open },
    { id: 'go', label: t('app.palette.go', 'Go to'), items: actions((group) => group === 'go') },
    { id: 'create', label: t('app.palette.create', 'Create'), items: actions((group) => group === 'create') },
    { id: 'help', label: t('app.palette.help', 'Help'), items: actions((group) => group === 'help') },
  ]
  return (
    <CommandPalette
      text={text}
      onText={setText}
      busy={found.busy}
      onClose={onClose}
      groups={all.filter(({ items }) => items.length > 0)}
    />
  )
}
