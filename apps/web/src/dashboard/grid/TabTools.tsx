import type { LayoutNode } from '@parquetry/model'
import { IconButton, Menu, toast, useTranslate } from '@parquetry/ui'
import { useRef, useState } from 'react'
import { createIdSuffix } from '../edit/new-nodes.ts'
import { useEdit } from '../edit/use-edit.ts'
import { add, move, remove, setMeta } from '../layout/commands.ts'
import { useActions } from '../state/context.ts'
import styles from './Grid.module.css'

interface TabToolsProps {
  tabs: LayoutNode
  open: LayoutNode | undefined
  isNaming: boolean
  onNaming(isNaming: boolean): void
  focusTab(): void
}

/** Actions on the open tab while the dashboard is edited, and a button to add another. */
export function TabTools({ tabs, open, isNaming, onNaming, focusTab }: TabToolsProps) {
  const t = useTranslate()
  const edit = useEdit()
  const { openTabs, undo } = useActions()
  const show = (id: string) => openTabs((before) => ({ ...before, [tabs.id]: id }))
  const addTab = () => {
    const id = `TAB-${createIdSuffix()}`
    edit((nodes) => add(nodes, { id, type: 'TAB', meta: {} }, { parent: tabs.id, index: tabs.children.length }))
    show(id)
  }
  const name = open?.meta.text || t('dashboard.tabTitle', 'Tab title')
  const index = open ? tabs.children.indexOf(open.id) : -1
  const shift = (by: number) =>
    open && edit((nodes) => move(nodes, open.id, { parent: tabs.id, index: by < 0 ? index - 1 : index + 2 }))
  const close = () => {
    if (!open) return
    const next = tabs.children[index + 1] ?? tabs.children[index - 1]
    edit((nodes) => remove(nodes, open.id))
    if (next) show(next)
    toast(t('dashboard.tabClosed', 'Tab “{name}” removed', { name }), {
      action: { label: t('dashboard.undo', 'Undo'), run: undo },
    })
  }
  if (open && isNaming) {
    return (
      <TabName
        name={open.meta.text ?? ''}
        onName={(text, isByKey) => {
          onNaming(false)
          if (isByKey) focusTab()
          if (text !== null && text !== (open.meta.text ?? '')) edit((nodes) => setMeta(nodes, open.id, { text }))
        }}
      />
    )
  }
  return (
    <span className={styles.tabTools}>
      {open && (
        <Menu
          label={t('dashboard.tabMenu', 'Actions for tab {name}', { name })}
          items={[
            { label: t('dashboard.renameTab', 'Rename'), icon: 'edit', shortcut: 'F2', onSelect: () => onNaming(true) },
            {
              label: t('dashboard.tabLeft', 'Move left'),
              disabledReason: index === 0 ? t('dashboard.firstTab', 'This is the first tab') : undefined,
              onSelect: () => void shift(-1),
            },
            {
              label: t('dashboard.tabRight', 'Move right'),
              disabledReason:
                index === tabs.children.length - 1 ? t('dashboard.lastTab', 'This is the last tab') : undefined,
              onSelect: () => void shift(1),
            },
            'divider',
            {
              label: t('dashboard.closeTab', 'Remove tab and contents'),
              icon: 'trash',
              danger: true,
              disabledReason:
                tabs.children.length === 1
                  ? t('dashboard.onlyTab', 'Can’t remove the only tab. Remove the Tabs block instead.')
                  : undefined,
              onSelect: close,
            },
          ]}
        >
          <IconButton icon="more" label={t('dashboard.tabMenu', 'Actions for tab {name}', { name })} />
        </Menu>
      )}
      <IconButton icon="plus" label={t('dashboard.addTab', 'Add tab')} onClick={addTab} />
    </span>
  )
}

/** @param onName  receives null if the name stays */
function TabName({ name, onName }: { name: string; onName(text: string | null, isByKey: boolean): void }) {
  const t = useTranslate()
  const [text, setText] = useState(name)
  // Moving the focus to the tab blurs the field a second time.
  const isNamed = useRef(false)
  const end = (next: string | null, isByKey: boolean): void => {
    if (isNamed.current) return
    isNamed.current = true
    onName(next, isByKey)
  }
  return (
    <input
      className={styles.tabName}
      aria-label={t('dashboard.tabName', 'Tab name')}
      placeholder={t('dashboard.tabTitle', 'Tab title')}
      value={text}
      autoFocus
      onChange={(event) => setText(event.target.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => end(text.trim(), false)}
      data-keeps-escape
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') end(text.trim(), true)
        if (event.key === 'Escape') end(null, true)
      }}
    />
  )
}
