import { toast, useCommand, useTranslate, type MenuItem } from '@parquetry/ui'
import { newTab } from '../store.ts'
import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'
import { activateTab, changeTab, cloneTab, closeOthers, moveTab, restoreTab } from '../tabs.ts'
import type { SqlLabDialog } from '../dialogs/sql-lab-dialog.ts'

interface TabCommands {
  lab: Lab
  tab: QueryEditor | undefined
  close(id: string): void
  openDialog(dialog: SqlLabDialog): void
}

/** Registers the tab commands as keys and in the palette, and returns the menu of the active tab. */
export function useTabCommands({ lab, tab, close, openDialog }: TabCommands): MenuItem[] {
  const t = useTranslate()
  const { store } = lab
  const move = (by: number): void => {
    const { queryEditors, activeId } = store.getState()
    const index = queryEditors.findIndex(({ id }) => id === activeId)
    store.setState((state) => moveTab(state, activeId, index + by))
  }
  const step = (by: number): void => {
    const { queryEditors, activeId } = store.getState()
    const index = queryEditors.findIndex(({ id }) => id === activeId)
    const next = queryEditors[(index + by + queryEditors.length) % queryEditors.length]
    if (next) store.setState((state) => activateTab(state, next.id))
  }
  const create = useCommand({
    id: 'sqllab.tab.new',
    label: t('sqllab.tab.new', 'New tab'),
    shortcut: 'Alt+T',
    icon: 'plus',
    run: () => void lab.open(),
  })
  const rename = useCommand({
    id: 'sqllab.tab.rename',
    label: t('sqllab.tab.rename', 'Rename tab'),
    shortcut: 'F2',
    icon: 'edit',
    run: () => tab && openDialog({ name: 'rename', tabId: tab.id }),
  })
  const duplicate = useCommand({
    id: 'sqllab.tab.duplicate',
    label: t('sqllab.tab.duplicate', 'Duplicate tab'),
    icon: 'copy',
    run: () => tab && store.setState((state) => cloneTab(state, tab.id, newTab().id)),
  })
  const closeCommand = useCommand({
    id: 'sqllab.tab.close',
    label: t('sqllab.tab.close', 'Close tab'),
    shortcut: 'Alt+W',
    icon: 'close',
    run: () => tab && close(tab.id),
  })
  const closeRest = useCommand({
    id: 'sqllab.tab.closeOthers',
    label: t('sqllab.tab.closeOthers', 'Close other tabs'),
    run: () => {
      if (!tab) return
      const others = store.getState().queryEditors.filter(({ id }) => id !== tab.id)
      store.setState((state) => closeOthers(state, tab.id, Date.now()))
      toast(t('sqllab.closedOthers', '{n, plural, one {# tab closed} other {# tabs closed}}', { n: others.length }), {
        kind: 'info',
        action: {
          label: t('sqllab.undo', 'Undo'),
          run: () =>
            store.setState((state) =>
              activateTab(
                others.reduce((now, { id }) => restoreTab(now, id), state),
                tab.id,
              ),
            ),
        },
      })
    },
  })
  const restore = useCommand({
    id: 'sqllab.tab.restore',
    label: t('sqllab.tab.restore', 'Restore closed tab'),
    shortcut: 'Alt+Shift+T',
    icon: 'undo',
    ...(store.getState().closed.length === 0 && { disabledReason: t('sqllab.tab.noneClosed', 'No closed tabs') }),
    run: () => store.setState((state) => restoreTab(state)),
  })
  useCommand({
    id: 'sqllab.tab.previous',
    label: t('sqllab.tab.previous', 'Previous tab'),
    shortcut: 'Alt+PageUp',
    run: () => step(-1),
  })
  useCommand({
    id: 'sqllab.tab.next',
    label: t('sqllab.tab.next', 'Next tab'),
    shortcut: 'Alt+PageDown',
    run: () => step(1),
  })
  const earlier = useCommand({
    id: 'sqllab.tab.moveBack',
    label: t('sqllab.tab.moveBack', 'Move tab left'),
    shortcut: 'Alt+Shift+PageUp',
    run: () => move(-1),
  })
  const later = useCommand({
    id: 'sqllab.tab.moveOn',
    label: t('sqllab.tab.moveOn', 'Move tab right'),
    shortcut: 'Alt+Shift+PageDown',
    run: () => move(1),
  })
  const bar = useCommand({
    id: 'sqllab.leftBar',
    label: tab?.hideLeftBar ? t('sqllab.leftBar.show', 'Show left bar') : t('sqllab.leftBar.hide', 'Hide left bar'),
    icon: 'sidebar',
    run: () => tab && store.setState((state) => changeTab(state, tab.id, { hideLeftBar: !tab.hideLeftBar })),
  })
  return [
    ...[create, rename, duplicate].map((command) => ({ command })),
    'divider',
    ...[closeCommand, closeRest, restore].map((command) => ({ command })),
    'divider',
    ...[earlier, later, bar].map((command) => ({ command })),
  ]
}
