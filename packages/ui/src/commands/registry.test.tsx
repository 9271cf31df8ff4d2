import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useState } from 'react'
import { page, userEvent } from 'vitest/browser'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { setSingleKeysEnabled, useCommand, useTypingPage, type Command } from './registry.ts'

const run = vi.fn<(id: string) => void>()
beforeEach(() => void run.mockClear())
afterEach(() => {
  vi.useRealTimers()
  setSingleKeysEnabled(true)
})

function Declares(command: Omit<Command, 'run' | 'label'>) {
  useCommand({ ...command, label: command.id, run: () => run(command.id) })
  return null
}
const ran = () => run.mock.calls.flat()

it('keys run the last declared command, including sequences of two keys', async () => {
  await show(
    <>
      <Declares id="old" shortcut="R" />
      <Declares id="new" shortcut="R" />
      <Declares id="go" shortcut="G R" />
      <Declares id="help" shortcut="?" />
    </>,
  )
  // Both keys must arrive within a second, which one of them may take on a busy machine.
  vi.useFakeTimers({ toFake: ['performance'] })
  await userEvent.keyboard('r')
  await userEvent.keyboard('gr')
  await userEvent.keyboard('{Shift>}?{/Shift}')
  expect(ran()).toEqual(['new', 'go', 'help'])
})

it('single keys go to a focused field and can be turned off; keys with Ctrl still work', async () => {
  await show(
    <>
      <Declares id="refresh" shortcut="R" />
      <Declares id="save" shortcut="Mod+S" />
      <TextInput aria-label="Name" value="" onChange={() => undefined} />
    </>,
  )
  await page.getByRole('textbox').click()
  await userEvent.keyboard('r{Control>}s{/Control}')
  expect(ran()).toEqual(['save'])
  ;(document.activeElement as HTMLElement).blur()
  setSingleKeysEnabled(false)
  await userEvent.keyboard('r{Control>}s{/Control}')
  expect(ran()).toEqual(['save', 'save'])
})

function TypingPage() {
  useTypingPage()
  return null
}

it('regression: on a page for typing, characters outside of the editor run nothing, and other keys still work', async () => {
  const all = (
    <>
      <Declares id="create" shortcut="C" />
      <Declares id="go" shortcut="G D" />
      <Declares id="search" shortcut="/" />
      <Declares id="help" shortcut="?" />
      <Declares id="save" shortcut="Mod+S" />
      <Declares id="close" shortcut="Alt+W" />
    </>
  )
  const keys = 'c/gd{Shift>}?{/Shift}{Control>}s{/Control}{Alt>}w{/Alt}'
  const { unmount } = await show(
    <>
      {all}
      <TypingPage />
    </>,
  )
  await userEvent.keyboard(keys)
  expect(ran()).toEqual(['help', 'save', 'close'])
  await unmount()
  run.mockClear()
  await show(all)
  await userEvent.keyboard('c')
  expect(ran()).toEqual(['create'])
})

it('regression: Enter presses the focused button even if it is the key of a command', async () => {
  await show(
    <>
      <Declares id="full" shortcut="Enter" />
      <button type="button" onClick={() => run('pressed')}>
        Press
      </button>
      <div tabIndex={0} role="figure" aria-label="Tile" />
    </>,
  )
  page.getByRole('button').element().focus()
  await userEvent.keyboard('{Enter}')
  expect(ran()).toEqual(['pressed'])
  page.getByRole('figure').element().focus()
  await userEvent.keyboard('{Enter}')
  expect(ran()).toEqual(['pressed', 'full'])
})

it('does not run a disabled command', async () => {
  await show(<Declares id="save" shortcut="Mod+S" disabledReason="No changes to save" />)
  await userEvent.keyboard('{Control>}s{/Control}')
  expect(ran()).toEqual([])
})

function Document() {
  const [kept, setKept] = useState('')
  const [draft, setDraft] = useState('')
  useCommand({
    id: 'save',
    label: 'Save',
    shortcut: 'Mod+S',
    ...(kept === '' && { disabledReason: 'No changes to save' }),
    run: () => run(kept),
  })
  return (
    <input
      aria-label="Text"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => setKept(draft)}
    />
  )
}

it('regression: saving by shortcut includes the text of a field that commits on blur', async () => {
  await show(<Document />)
  const field = page.getByRole('textbox', { name: 'Text' })
  await field.click()
  await userEvent.keyboard('all of it{Control>}s{/Control}')
  await expect.poll(ran).toEqual(['all of it'])
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard(', and more{Control>}s{/Control}')
  await expect.poll(ran).toEqual(['all of it', 'all of it, and more'])
})
