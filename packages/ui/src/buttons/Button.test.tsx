import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { Button } from './Button.tsx'

it.each([{}, { icon: 'save' } as const])(
  'regression: keeps its size while busy, without moving its neighbors: %o',
  async (look) => {
    await show(
      <>
        <Button {...look}>Save</Button>
        <Button {...look} busy>
          Save
        </Button>
      </>,
    )
    const [idle, busy] = page
      .getByRole('button', { name: 'Save' })
      .elements()
      .map((button) => button.getBoundingClientRect().width)
    expect(busy).toBeCloseTo(idle ?? 0, 1)
  },
)
