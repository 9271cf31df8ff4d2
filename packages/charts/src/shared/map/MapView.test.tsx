import { Deck } from '@deck.gl/core'
import { buildFrame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ChartHost } from '../../views/index.tsx'

const rows = buildFrame({ lon: [0, 200], lat: [0, 10], kind: ['<img src=x onerror=alert(1)>', 'b'] })
const map = (more: object = {}) => (
  <div style={{ width: 600, height: 400 }}>
    <ChartHost
      form={{
        viz_type: 'deck_scatter',
        spatial: { type: 'latlong', lonCol: 'lon', latCol: 'lat' },
        dimension: 'kind',
        point_radius_fixed: { type: 'fix', value: 1 },
        min_radius: 60,
      }}
      frames={{ rows }}
      title="Places"
      {...more}
    />
  </div>
)
const figure = page.getByRole('figure', { name: 'Places' })

it('draws with a plain-text legend, reports rows without a location, and shows its rows as a table', async () => {
  await show(map())
  await expect.element(page.getByRole('button', { name: '<img src=x onerror=alert(1)>' })).toBeVisible()
  await expect.element(page.getByText(/^1 row is not shown/)).toBeVisible()
  await vi.waitFor(() => expect(figure.element().querySelector('canvas')).not.toBeNull(), 10_000)
  await vi.waitFor(() => expect(figure.element().querySelector('[tabindex="-1"]')).not.toBeNull(), 10_000)
  expect(figure.element().querySelector('[aria-hidden] [tabindex="0"], [aria-hidden][tabindex="0"]')).toBeNull()
  await userEvent.click(page.getByRole('button', { name: 'Zoom in' }))
  ;(figure.element() as HTMLElement).focus()
  await userEvent.keyboard('t')
  await expect.element(page.getByRole('grid')).toBeVisible()
})

it('CTRL-106: stores the current view when settings may be changed', async () => {
  const onSetting = vi.fn()
  await show(map({ onSetting }))
  await vi.waitFor(() => expect(figure.element().querySelector('canvas')).not.toBeNull(), 10_000)
  expect(page.getByRole('button', { name: 'Use this view' }).query()).toBeNull()
  await userEvent.click(page.getByRole('button', { name: 'Zoom out' }))
  await userEvent.click(page.getByRole('button', { name: 'Use this view' }))
  const fields = ['bearing', 'latitude', 'longitude', 'pitch', 'zoom']
  expect(Object.keys(onSetting.mock.calls[0]?.[0].viewport as object).toSorted()).toEqual(fields)
  expect(onSetting.mock.calls[0]?.[0].autozoom).toBe(false)
})

it('hovering and moving the map do not recreate layers', async () => {
  const setProps = vi.spyOn(Deck.prototype, 'setProps')
  const made = () => setProps.mock.calls.filter(([props]) => 'layers' in props).length
  try {
    await show(map({ onMark: vi.fn() }))
    await vi.waitFor(() => expect(figure.element().querySelector('canvas')).not.toBeNull(), 10_000)
    const before = await waitUntilStable(made)
    expect(before).toBeGreaterThan(0)
    for (const x of [100, 200, 300, 320]) await userEvent.hover(figure, { position: { x, y: 200 } })
    ;(figure.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowRight}{ArrowDown}')
    expect(await waitUntilStable(made)).toBe(before)
  } finally {
    setProps.mockRestore()
  }
})

/** Returns a number once it is stable for some frames. */
async function waitUntilStable(read: () => number): Promise<number> {
  for (let [last, still] = [read(), 0]; ;) {
    await new Promise(requestAnimationFrame)
    const now = read()
    still = now === last ? still + 1 : 0
    if (still > 20) return now
    last = now
  }
}
