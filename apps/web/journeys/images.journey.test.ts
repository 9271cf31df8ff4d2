import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, setWindowSize, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { addUsers, createApiClient, startProduct, type Product } from './product.ts'

let folder: string
let imageServer: Server
let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
/** Responses of the remote server, by path. */
const files: Record<string, Buffer> = {}
let imageServerUrl: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-images-'))
  const config = { URL_LOOPBACK_HOSTS: true, FEATURE_FLAGS: { DASHBOARD_RBAC: true } }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  imageServer = createServer(({ url = '' }, response) => {
    const file = files[url]
    response.writeHead(file ? 200 : 404).end(file)
  })
  await new Promise<void>((resolve) => imageServer.listen(0, '127.0.0.1', resolve))
  imageServerUrl = `http://127.0.0.1:${(imageServer.address() as AddressInfo).port}`
  product = await startProduct({ env: { PARQUETRY_CONFIG: join(folder, 'config.json'), PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
})
afterAll(async () => {
  imageServer?.close()
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const buildNodes = (code: string, height = 40) => ({
  ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'], parents: ['ROOT_ID'] },
  'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['MARKDOWN-1'], parents: ['ROOT_ID', 'GRID_ID'], meta: {} },
  'MARKDOWN-1': {
    id: 'MARKDOWN-1',
    type: 'MARKDOWN',
    children: [],
    parents: ['ROOT_ID', 'GRID_ID', 'ROW-1'],
    meta: { code, width: 6, height },
  },
})

async function createTextDashboard(title: string, code: string, more: object = {}): Promise<number> {
  const made = await client.post('/api/v1/dashboard/', { dashboard_title: title, published: true, ...more })
  const json_metadata = JSON.stringify({ positions: buildNodes(code) })
  expect((await client.put(`/api/v1/dashboard/${made.body.id}`, { json_metadata })).status).toBe(200)
  return made.body.id
}

async function storedText(id: number): Promise<string> {
  const { position_json } = (await client.get(`/api/v1/dashboard/${id}`)).body.result
  return (JSON.parse(position_json) as ReturnType<typeof buildNodes>)['MARKDOWN-1'].meta.code
}

/** An image of this size, drawn by the browser. */
async function drawn(width: number, height: number, color: string, type = 'image/png'): Promise<Buffer> {
  const url = await page.evaluate(
    ([w, h, fill, as]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h })
      const context = canvas.getContext('2d')!
      context.fillStyle = fill
      context.fillRect(0, 0, w, h)
      return canvas.toDataURL(as)
    },
    [width, height, color, type] as const,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

const field = () => page.getByLabel('Text (Markdown)')
const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const edit = async (id: number) => {
  await page.goto(`/superset/dashboard/${id}/?edit=true`)
  await button('Save').waitFor()
}
const save = async () => {
  await button('Save').click()
  await page.getByText('This dashboard was saved successfully.').last().waitFor()
}
/** Natural size, aspect ratio and width of the image with this alternative text. */
const shown = (words: string, on = page) =>
  on.locator(`main img[alt="${words}"]`).evaluate(async (image: HTMLImageElement) => {
    await image.decode().catch(() => {})
    const { width, height } = image.getBoundingClientRect()
    return { natural: [image.naturalWidth, image.naturalHeight], ratio: Math.round((width / height) * 10) / 10, width }
  })
const handOver = (event: 'paste' | 'drop', bytes: Buffer, name: string, type = 'image/png') =>
  field().evaluate(
    (area, [kind, base64, fileName, as]) => {
      const data = new DataTransfer()
      const bytesOf = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytesOf], fileName, { type: as }))
      const more = { bubbles: true, cancelable: true }
      area.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, ...more })
          : new DragEvent('drop', { dataTransfer: data, ...more }),
      )
    },
    [event, bytes.toString('base64'), name, type] as const,
  )

it('DASH-005: images are chosen, pasted, dropped and downloaded into a text; all users who see the dashboard see them, and no one else', async () => {
  addUsers(product, { viewer: ['Gamma'], stranger: ['Alpha'] })
  const { result } = (await client.get('/api/v1/dashboard/related/roles')).body
  const gamma = (result as { text: string; value: number }[]).find(({ text }) => text === 'Gamma')?.value
  const id = await createTextDashboard('With images', 'Our floor:\n\n', { roles: [gamma] })
  files['/far.png'] = await drawn(50, 100, 'green')

  await edit(id)
  await button('Edit text').click()
  await field().press('Control+End')
  await button('Add image').click()
  const choosing = page.waitForEvent('filechooser')
  await button('Choose a file').click()
  await (
    await choosing
  ).setFiles({ name: 'Floor plan.png', mimeType: 'image/png', buffer: await drawn(800, 400, 'navy') })
  await expect
    .poll(() => field().inputValue())
    .toMatch(/^Our floor:\n\n!\[Floor plan\]\(\/api\/v1\/dashboard\/\d+\/files\/[0-9a-f]{64}#800x400\)$/)
  expect(await field().evaluate((area) => area === document.activeElement)).toBe(true)

  await handOver('paste', await drawn(40, 20, 'red', 'image/jpeg'), 'image.jpg', 'image/jpeg')
  await expect.poll(() => field().inputValue()).toContain('![image](')
  await handOver('drop', await drawn(30, 20, 'orange'), 'dropped.png')
  await expect.poll(() => field().inputValue()).toContain('![dropped](')
  expect(await page.getByRole('dialog').count(), 'a table of it is not asked for').toBe(0)

  await button('Add image').click()
  const address = page.getByLabel('Image URL')
  await address.fill(`${imageServerUrl}/missing.png`)
  await address.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'responded with status 404' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await address.fill(`${imageServerUrl}/far.png`)
  await button('Add from URL').click()
  await expect.poll(() => field().inputValue()).toContain('![far](')
  await page.keyboard.press('Control+Enter')

  expect(await shown('Floor plan')).toMatchObject({ natural: [800, 400], ratio: 2 })
  const { width } = await shown('Floor plan')
  expect(width).toBeLessThan(720)
  await save()
  for (const words of ['Floor plan', 'image', 'dropped', 'far'])
    expect((await shown(words)).natural[0]).toBeGreaterThan(0)
  await page.reload()
  expect(await shown('far')).toMatchObject({ natural: [50, 100] })

  const [url = ''] = /\/api\/v1\/dashboard\/\d+\/files\/[0-9a-f]{64}/.exec(await storedText(id)) ?? []
  const viewer = await openSignedInPage(browser, product.url, { username: 'viewer' })
  await viewer.goto(`/superset/dashboard/${id}/`)
  expect(await shown('Floor plan', viewer)).toMatchObject({ natural: [800, 400] })
  const stranger = await openSignedInPage(browser, product.url, { username: 'stranger' })
  await stranger.goto(`/superset/dashboard/${id}/`)
  await stranger.getByText('or you don’t have access to it').waitFor()
  expect(await stranger.locator('main img').count()).toBe(0)
  expect((await stranger.request.get(url)).status()).toBe(404)

  const status = () => viewer.evaluate(async (address) => (await fetch(address)).status, url)
  expect(await status()).toBe(200)
  const cookies = await viewer.context().cookies()
  await viewer.context().addCookies(await stranger.context().cookies())
  expect(await status(), 'who signs in to the same browser next is given nothing that it kept').toBe(404)
  await viewer.context().addCookies(cookies)

  await setWindowSize(viewer, 390, 844)
  await viewer.reload()
  expect((await shown('Floor plan', viewer)).width).toBeLessThanOrEqual(390)
  expect(await viewer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findAxeViolations(viewer)).toEqual([])
  await viewer.context().close()
  await stranger.context().close()
})

it('DASH-005: typed image URLs become images of the dashboard on save; an image that cannot be downloaded stays a link, and the user sees why', async () => {
  files['/typed.png'] = await drawn(20, 10, 'teal')
  const foreign = `![Left](${imageServerUrl}/untouched.png)`
  const id = await createTextDashboard('Typed', foreign)
  await edit(id)
  await button('Edit text').click()
  await field().fill(`![Typed](${imageServerUrl}/typed.png) <img src="${imageServerUrl}/gone.png" alt="Gone">`)
  await page.keyboard.press('Control+s')
  await page
    .getByText(`Could not download 1 image, so it remains a link. ${imageServerUrl}/gone.png: The server`)
    .waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  const text = await storedText(id)
  expect(text).toMatch(/^!\[Typed\]\(\/api\/v1\/dashboard\/\d+\/files\/[0-9a-f]{64}#20x10\) <img src="http/)
  expect(await shown('Typed')).toMatchObject({ natural: [20, 10] })
  await page.getByRole('link', { name: `Gone (${new URL(imageServerUrl).host})` }).waitFor()
})

it('a file that is no image or is too large is rejected, and the text stays unchanged', async () => {
  const id = await createTextDashboard('Refused', 'Words')
  await edit(id)
  await button('Edit text').click()
  await handOver('paste', Buffer.from('<html></html>'), 'page.png')
  await page.getByText('Could not add page.png: This file is not a supported image.').waitFor()
  await handOver('paste', Buffer.alloc((5 << 20) + 1), 'huge.png')
  await page.getByText('huge.png is larger than 5 MB.').waitFor()
  expect(await field().inputValue()).toBe('Words')
})

it('regression: text is not lost when the user clicks elsewhere while adding an image', async () => {
  const id = await createTextDashboard('Not lost', 'Before')
  await edit(id)
  await button('Edit text').click()
  await field().fill('After')
  await button('Add image').click()
  await page.getByLabel('Image URL').fill('https://')
  await page.getByRole('heading', { level: 1 }).click()
  await save()
  expect(await storedText(id)).toBe('After')
})
