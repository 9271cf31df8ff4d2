import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ColumnConfigControl, type ColumnConfig } from './ColumnConfigControl.tsx'
import { showControl } from './with-queries.testing.tsx'

it('CONST-007: offers left, center and right alignment', async () => {
  const onChange = vi.fn<(value: Record<string, ColumnConfig>) => void>()
  const columns = [{ name: 'city', label: 'City', kind: 'text' as const }]
  await showControl(
    <ColumnConfigControl value={{}} columns={columns} form={{ viz_type: 'table' }} onChange={onChange} />,
  )
  await userEvent.click(page.getByRole('button', { name: 'City' }))
  const align = page.getByRole('dialog').getByRole('combobox', { name: 'Alignment' })
  const kept: unknown[] = []
  for (const words of ['Left', 'Center', 'Right']) {
    await userEvent.click(align)
    await userEvent.click(page.getByRole('option', { name: words, exact: true }))
    kept.push(onChange.mock.lastCall?.[0]['city']?.horizontalAlign)
  }
  await userEvent.click(align)
  expect(page.getByRole('option').elements()).toHaveLength(3)
  expect(kept).toEqual(['left', 'center', 'right'])
})

it('CONST-005: the fraction digits slider runs from 0 to 100 and can be cleared', async () => {
  const onChange = vi.fn<(value: Record<string, ColumnConfig>) => void>()
  const columns = [{ name: 'delay', label: 'Delay', kind: 'number' as const }]
  const value = { delay: { fractionDigits: 3 } }
  await showControl(
    <ColumnConfigControl value={value} columns={columns} form={{ viz_type: 'table' }} onChange={onChange} />,
  )
  await userEvent.click(page.getByRole('button', { name: 'Delay' }))
  const slider = page.getByRole('slider', { name: 'Fraction digits' })
  await expect.element(slider).toHaveValue('3')
  slider.element().focus()
  await userEvent.keyboard('{Home}')
  expect(onChange.mock.lastCall?.[0]['delay']?.fractionDigits).toBe(0)
  await userEvent.keyboard('{End}')
  expect(onChange.mock.lastCall?.[0]['delay']?.fractionDigits).toBe(100)
  await userEvent.click(page.getByRole('button', { name: 'Clear' }))
  expect(onChange.mock.lastCall?.[0]).toEqual({})
})
