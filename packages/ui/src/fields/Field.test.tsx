import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { Checkbox } from './choices.tsx'
import { Field } from './Field.tsx'
import { Select } from './select/Select.tsx'
import { TextArea, TextInput } from './TextInput.tsx'

const noop = () => undefined

it('labels the control inside and describes it by its help', async () => {
  await show(
    <>
      <Field label="Name" help="As colleagues know it.">
        <TextInput value="" onChange={noop} />
      </Field>
      <Field label="Notes">
        <TextArea value="" onChange={noop} />
      </Field>
    </>,
  )
  await expect
    .element(page.getByRole('textbox', { name: 'Name' }))
    .toHaveAccessibleDescription('As colleagues know it.')
  await expect.element(page.getByRole('textbox', { name: 'Notes' })).toHaveAccessibleDescription('')
  await page.getByText('Notes').click()
  await expect.element(page.getByRole('textbox', { name: 'Notes' })).toHaveFocus()
})

it('shows an error instead of its help and marks the control as invalid', async () => {
  const field = (error?: string) => (
    <Field label="Name" help="As colleagues know it." error={error} required>
      <TextInput value="" onChange={noop} />
    </Field>
  )
  const control = page.getByRole('textbox', { name: 'Name required' })
  const { rerender } = await show(field())
  await expect.element(control).toBeRequired()
  await expect.element(control).toBeValid()
  await rerender(field('A name is missing.'))
  await expect.element(control).toBeInvalid()
  await expect.element(control).toHaveAccessibleDescription('A name is missing.')
  await expect.element(page.getByRole('alert').filter({ hasText: 'A name' })).toHaveTextContent('A name is missing.')
  await expect.element(page.getByText('As colleagues know it.')).not.toBeInTheDocument()
})

it('labels both the field and the list of a select', async () => {
  await show(
    <Field label="Grain">
      <Select value={null} onChange={noop} options={[{ value: 'P1D', label: 'Day' }]} />
    </Field>,
  )
  await page.getByRole('combobox', { name: 'Grain' }).click()
  await expect.element(page.getByRole('listbox', { name: 'Grain' })).toBeVisible()
})

it('labels a group of controls, each of which keeps its own name', async () => {
  await show(
    <Field label="Days" group>
      <Checkbox checked onChange={noop} label="Monday" />
      <Checkbox checked={false} onChange={noop} label="Tuesday" />
    </Field>,
  )
  const group = page.getByRole('group', { name: 'Days' })
  await expect.element(group.getByRole('checkbox', { name: 'Monday' })).toBeChecked()
  await expect.element(group.getByRole('checkbox', { name: 'Tuesday' })).not.toBeChecked()
})
