import { IconButton, useTranslate, type IconName } from '@parquetry/ui'
import { matchesStep, parseShortcut } from '@parquetry/ui/commands/shortcuts.ts'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { TextFormat } from './format-text.ts'
import styles from './TextEditor.module.css'

const icons: Record<TextFormat, IconName> = {
  bold: 'M4.500 2.800h4.200a2.500 2.500 0 0 1 0 5H4.500zM4.500 7.800h5a2.700 2.700 0 0 1 0 5.400h-5z',
  italic: 'M7 2.800h5M4 13.200h5M9.500 2.800l-3 10.400',
  strikethrough:
    'M2.500 8h11M11.300 4.700C10.800 3.500 9.500 2.800 8 2.800c-1.900 0-3.300 1-3.300 2.500 0 .6.2 1.100.6 1.500M4.500 11c.4 1.400 1.800 2.200 3.500 2.200 2 0 3.400-1 3.400-2.600 0-.2 0-.4-.1-.6',
  heading: 'M4 3v10M12 3v10M4 8h8',
  link: 'link',
  list: 'list',
  tasks: 'M2.500 3.500 3.700 4.700 6 2.300M2.500 11.300 3.700 12.500 6 10.100M8.500 4h5M8.500 11.800h5',
  table: 'table',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
}

const shortcuts: Partial<Record<TextFormat, string>> = {
  bold: 'Mod+B',
  italic: 'Mod+I',
  strikethrough: 'Mod+Shift+X',
  heading: 'Mod+Alt+2',
  link: 'Mod+K',
  list: 'Mod+Shift+U',
  tasks: 'Mod+Shift+L',
  code: 'Mod+E',
}
const formats = Object.keys(icons) as TextFormat[]

/** Finds the format whose shortcut was pressed. */
export const findFormat = ({ nativeEvent }: KeyboardEvent): TextFormat | undefined =>
  formats.find((format) => {
    const [step] = parseShortcut(shortcuts[format] ?? '')
    return step !== undefined && shortcuts[format] !== undefined && matchesStep(step, nativeEvent)
  })

/** Buttons that format the selected text: one tab stop, with arrow keys between them. */
export function TextToolbar({ onFormat, children }: { onFormat(format: TextFormat): void; children: ReactNode }) {
  const t = useTranslate()
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const labels: Record<TextFormat, string> = {
    bold: t('dashboard.format.bold', 'Bold'),
    italic: t('dashboard.format.italic', 'Italic'),
    strikethrough: t('dashboard.format.strikethrough', 'Strikethrough'),
    heading: t('dashboard.format.heading', 'Heading'),
    link: t('dashboard.format.link', 'Link'),
    list: t('dashboard.format.list', 'List'),
    tasks: t('dashboard.format.tasks', 'Task list'),
    table: t('dashboard.format.table', 'Table'),
    code: t('dashboard.format.code', 'Code'),
  }
  const move = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const index = buttons.indexOf(event.target as HTMLElement)
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (index < 0 || to === undefined) return
    event.preventDefault()
    buttons[(to + buttons.length) % buttons.length]?.focus()
  }
  return (
    <div
      ref={bar}
      className={styles.tools}
      role="toolbar"
      aria-label={t('dashboard.format', 'Formatting')}
      onKeyDown={move}
    >
      {formats.map((format, index) => (
        <IconButton
          key={format}
          icon={icons[format]}
          label={labels[format]}
          {...(shortcuts[format] !== undefined && { shortcut: shortcuts[format] })}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onClick={() => onFormat(format)}
        />
      ))}
      {children}
    </div>
  )
}
