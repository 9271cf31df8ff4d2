import { useCommand, useTranslate, type Command } from '@parquetry/ui'
import { listCreateActions, listNavEntries } from '../../shared/nav-entries.ts'

/** Commands of Ctrl-K and the keyboard that work on every page: navigate, create, move between panes. */
export function GlobalCommands({ go }: { go(href: string): void }) {
  const t = useTranslate()
  useCommand({
    id: 'app.search.here',
    label: t('app.search.here', 'Search this page'),
    shortcut: '/',
    group: 'help',
    hidden: true,
    run: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  })
  useCommand({
    id: 'app.menu.here',
    label: t('app.menu.here', 'Open page menu'),
    shortcut: '.',
    group: 'help',
    hidden: true,
    run: () => document.querySelector<HTMLElement>('[data-page-menu]')?.click(),
  })
  useCommand({
    id: 'app.create.menu',
    label: t('app.create.menu', 'Create'),
    shortcut: 'C',
    group: 'create',
    hidden: true,
    run: () => document.querySelector<HTMLElement>('[data-create-menu]')?.click(),
  })
  useCommand({
    id: 'app.pane.next',
    label: t('app.pane.next', 'Next pane'),
    shortcut: 'F6',
    group: 'help',
    hidden: true,
    run: () => focusPane(1),
  })
  useCommand({
    id: 'app.pane.previous',
    label: t('app.pane.previous', 'Previous pane'),
    shortcut: 'Shift+F6',
    group: 'help',
    hidden: true,
    run: () => focusPane(-1),
  })
  return (
    <>
      {listNavEntries(t).map(({ section, label, href, icon, shortcut }) => (
        <Declared
          key={section}
          command={{ id: `app.go.${section}`, label, icon, shortcut, group: 'go', run: () => go(href) }}
        />
      ))}
      {listCreateActions(t).map(({ id, label, href, icon }) => (
        <Declared key={id} command={{ id: `app.create.${id}`, label, icon, group: 'create', run: () => go(href) }} />
      ))}
    </>
  )
}

function Declared({ command }: { command: Command }) {
  useCommand(command)
  return null
}

const focusable =
  '[contenteditable=true],a[href],button:not([disabled]),input:not([disabled]):not([type=hidden]),textarea,select,[tabindex="0"]'

/**
 * Panes are the innermost elements with `data-pane`. The next one is the next in document order, also when no pane has the focus.
 */
function focusPane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]:not(:has([data-pane]))')].filter(
    (pane) => pane.offsetParent !== null,
  )
  const here = document.activeElement ?? document.body
  const lies = (pane: Node, where: number): boolean => (here.compareDocumentPosition(pane) & where) !== 0
  const pane =
    by === 1
      ? (panes.find((each) => lies(each, Node.DOCUMENT_POSITION_FOLLOWING)) ?? panes[0])
      : (panes.findLast((each) => lies(each, Node.DOCUMENT_POSITION_PRECEDING) && !each.contains(here)) ?? panes.at(-1))
  ;(pane?.querySelector<HTMLElement>(focusable) ?? pane)?.focus()
}
