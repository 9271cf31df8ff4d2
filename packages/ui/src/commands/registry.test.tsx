import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useState } from 'react'
import { page, userEvent } from 'vitest/browser'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { setSingleKeysEnabled, useCommand, type Command } from './registry.ts'

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

it('keys run the command that was declared last, two keys one after the other', async () => {
  await show(
    <>
      <Declares id="old" shortcut="R" />
      <Declares id="new" shortcut="R" />
      <Declares id="go" shortcut="G R" />
      <Declares id="help" shortcut="?" />
    </>,
  )
  // Both keys have to come within a second, which a busy machine may need for one of them.
  vi.useFakeTimers({ toFake: ['performance'] })
  await userEvent.keyboard('r')
  await userEvent.keyboard('gr')
  await userEvent.keyboard('{Shift>}?{/Shift}')
  expect(ran()).toEqual(['new', 'go', 'help'])
})

it('single keys belong to a field that has the focus, and can be switched off; keys with Ctrl go on', async () => {
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

it('regression: Enter presses the button that has the focus, also where it is the key of a command', async () => {
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

it('a command that cannot run now does not', async () => {
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

it('regression: a save by keys left out what was being written in a field that hands over when it is left', async () => {
  await show(<Document />)
  const field = page.getByRole('textbox', { name: 'Text' })
  await field.click()
  await userEvent.keyboard('all of it{Control>}s{/Control}')
  await expect.poll(ran).toEqual(['all of it'])
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard(', and more{Control>}s{/Control}')
  await expect.poll(ran).toEqual(['all of it', 'all of it, and more'])
})
