import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { useCommand, type Command } from './registry.ts'

const run = () => undefined
function Declares({ command }: { command: Omit<Command, 'run'> }) {
  useCommand({ ...command, run })
  return null
}
const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
/** Returns the keys of each command as announced by screen readers, by group heading. */
const listed = () =>
  [...dialog.element().querySelectorAll('section')].map((section) => [
    section.querySelector('h3')?.textContent,
    ...[...section.querySelectorAll('dl > div')].map(
      (row) => `${row.querySelector('dt')?.textContent}: ${row.querySelector('.visually-hidden')?.textContent}`,
    ),
  ])

it('lists the active commands with keys, in groups', async () => {
  const { rerender } = await show(
    <>
      <Declares command={{ id: 'go.charts', label: 'Charts', shortcut: 'G C', group: 'go' }} />
      <Declares command={{ id: 'page.refresh', label: 'Refresh', shortcut: 'Shift+R' }} />
      <Declares command={{ id: 'page.print', label: 'Print' }} />
      <Declares command={{ id: 'list.next', label: 'Next row', shortcut: 'J', group: 'list', hidden: true }} />
      <ShortcutsDialog open onClose={run} />
    </>,
  )
  await expect.element(dialog).toBeVisible()
  expect(listed()).toEqual([
    ['This page', 'Refresh: Shift+R'],
    ['Lists', 'Next row: J'],
    ['Go to', 'Charts: G C'],
    ['Everywhere', 'Go to latest message: Alt+N'],
  ])
  await expect.element(dialog.getByText('R', { exact: true })).not.toBeInTheDocument()
  await rerender(<ShortcutsDialog open onClose={run} />)
  await expect.poll(listed).toEqual([['Everywhere', 'Go to latest message: Alt+N']])
})

it('lists a redeclared command once, in its current form', async () => {
  await show(
    <>
      <Declares command={{ id: 'page.run', label: 'Run', shortcut: 'R' }} />
      <Declares command={{ id: 'page.run', label: 'Run the selection', shortcut: 'Shift+R' }} />
      <ShortcutsDialog open onClose={run} />
    </>,
  )
  await expect.poll(() => listed()[0]).toEqual(['This page', 'Run the selection: Shift+R'])
})
