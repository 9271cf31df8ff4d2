import { buildFrame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ChartHost } from '../views/index.tsx'

const rows = buildFrame({ name: ['a', '<img src=x onerror=alert(1)>'] })
const chart = (more: object) => (
  <div style={{ width: 400, height: 300 }}>
    <p className="own">beside</p>
    <ChartHost form={{ viz_type: 'handlebars', ...more }} frames={{ rows }} title="Template" />
  </div>
)
const region = page.getByRole('region', { name: 'Template' })
const findShadowRoot = () => region.element().firstElementChild!.shadowRoot!

it('shows rows as text in the output of the template', async () => {
  await show(chart({ handlebarsTemplate: '<ul>{{#each data}}<li>{{name}}</li>{{/each}}</ul>' }))
  await expect.element(region.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
  expect(findShadowRoot().querySelectorAll('li')).toHaveLength(2)
  expect(findShadowRoot().querySelector('img')).toBeNull()
})

it('styles only its own output, which does not leave its box', async () => {
  const styleTemplate = '.own { color: rgb(1, 2, 3) } :host { position: fixed !important; inset: -500px !important }'
  await show(chart({ handlebarsTemplate: '<b class="own">mine</b>', styleTemplate }))
  await expect.element(region.getByText('mine')).toHaveStyle({ color: 'rgb(1, 2, 3)' })
  expect(getComputedStyle(page.getByText('beside').element()).color).not.toBe('rgb(1, 2, 3)')
  const beyond = document.elementFromPoint(innerWidth - 5, innerHeight - 5)
  expect(region.element().contains(beyond)).toBe(false)
})

it('runs no code from a template or a value', async () => {
  const handlebarsTemplate =
    '<script>window.ran = 1</script><img src="data:,x" onerror="window.ran = 2"><a href="javascript:window.ran = 3">go</a>'
  await show(chart({ handlebarsTemplate }))
  await expect.element(region.getByText('go')).toBeVisible()
  expect(findShadowRoot().querySelector('script')).toBeNull()
  expect(findShadowRoot().querySelector('[onerror], [href]')).toBeNull()
  expect('ran' in window).toBe(false)
})

it('reports where a template is invalid, and draws again once it is fixed', async () => {
  const { rerender } = await show(chart({ handlebarsTemplate: '<p>\n{{#each data}}' }))
  await expect.element(page.getByRole('heading', { name: 'Template error on line 2' })).toBeVisible()
  await rerender(chart({ handlebarsTemplate: '<p>mended</p>' }))
  await expect.element(region.getByText('mended')).toBeVisible()
})
