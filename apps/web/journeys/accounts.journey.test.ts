import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let admin: Page
let nia: Page
beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  admin = await openSignedInPage(browser, product.url)
  nia = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage()
  for (const page of [admin, nia]) page.setDefaultTimeout(8000)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const password = 'correct horse battery'
let recoveryCodes: string[]
let apiKey: string

/** The code that an authenticator app shows now (RFC 6238), computed without the library of the server. */
function computeCode(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const period = Buffer.alloc(8)
  period.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(period).digest()
  const start = (hash.at(-1) as number) & 15
  return String((hash.readUInt32BE(start) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

const dialogOf = (page: Page) => page.getByRole('dialog')
const section = (name: string) => nia.getByRole('region', { name, exact: true })
const callWithKey = (path: string, options: RequestInit = {}) =>
  fetch(product.url + path, {
    ...options,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  })

it('an administrator invites a person, who creates an account with the link and is signed in', async () => {
  await admin.goto('/users/')
  await admin.getByRole('button', { name: 'Invite people' }).click()
  const dialog = dialogOf(admin)
  await dialog.getByRole('combobox', { name: 'Roles' }).click()
  await admin.getByRole('option', { name: 'Gamma', exact: true }).click()
  await admin.keyboard.press('Escape')
  await dialog.getByLabel('First name').fill('Nia')
  await dialog.getByLabel('Email').fill('nia@example.com')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  const link = await dialog.getByLabel('Invitation for Nia').inputValue()
  await dialog.getByRole('list', { name: 'Not accepted yet' }).getByText('nia@example.com').waitFor()
  expect(await findAxeViolations(admin)).toEqual([])

  await nia.goto(link)
  expect(await findAxeViolations(nia)).toEqual([])
  await nia.getByLabel('Username').fill('admin')
  await nia.getByLabel('New password').fill(password)
  await nia.getByLabel('Repeat password').fill(password)
  await nia.getByRole('button', { name: 'Create account' }).click()
  await nia.getByText('A user named admin already exists.').waitFor()
  await nia.getByLabel('Username').fill('nia')
  await nia.getByRole('button', { name: 'Create account' }).click()
  await nia.waitForURL('**/superset/welcome/')
  await nia.goto(link)
  await nia.waitForURL((url) => !url.pathname.startsWith('/invitation/'))
})

it('the person sets up a second factor', async () => {
  await nia.goto('/user_info/')
  await section('Second factor').getByRole('button', { name: 'Set up' }).click()
  const dialog = dialogOf(nia)
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  expect(await findAxeViolations(nia)).toEqual([])
  await dialog.getByLabel('Code', { exact: true }).fill(computeCode(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('button', { name: 'I have saved them' }).waitFor()
  recoveryCodes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(new Set(recoveryCodes).size).toBe(10)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await section('Second factor').getByText('10 recovery codes left').waitFor()
})

it('an API key that may only read works for a script until it is revoked', async () => {
  await section('API keys').getByRole('button', { name: 'Create API key' }).click()
  const dialog = dialogOf(nia)
  await dialog.getByLabel('Name').fill('Nightly report')
  await dialog.getByRole('radio', { name: 'Read only' }).check()
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  apiKey = await dialog.getByLabel('Nightly report').inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await (await callWithKey('/api/v1/me/')).json()).toMatchObject({ result: { username: 'nia' } })
  const create = { method: 'POST', body: JSON.stringify({ dashboard_title: 'd' }) }
  expect((await callWithKey('/api/v1/dashboard/', create)).status).toBe(403)
  await section('API keys').getByRole('button', { name: 'Revoke Nightly report' }).click()
  await nia.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await section('API keys').getByText('Revoked').waitFor()
  expect((await callWithKey('/api/v1/me/')).status).toBe(401)
})

it('the page of the API finds a call, shows it and sends it with the session, to this server only', async () => {
  const hosts = new Set<string>()
  admin.on('request', (request) => hosts.add(new URL(request.url()).host))
  await admin.goto('/user_info/')
  await admin.getByRole('link', { name: 'API reference' }).click()
  const calls = admin.getByRole('navigation', { name: 'Calls' })
  await admin.getByRole('searchbox', { name: 'Search calls' }).fill('css_template create')
  await admin.getByRole('status').getByText('1 call', { exact: true }).waitFor()
  await calls.getByRole('link', { name: /POST \/api\/v1\/css_template\// }).press('Enter')
  const call = admin.getByRole('article', { name: 'Creates a CSS template' })
  const body = call.getByRole('region', { name: 'Request body' })
  await body.getByText('template_name', { exact: true }).waitFor()
  await call.getByRole('region', { name: 'Responses' }).getByText('201', { exact: true }).waitFor()
  expect(await findAxeViolations(admin)).toEqual([])

  await call.getByRole('tab', { name: 'Reference' }).press('ArrowRight')
  const form = call.getByRole('form', { name: 'Try it' })
  await form.getByText('The call is sent as admin and can change data on this server.').waitFor()
  await form.getByLabel('Request body').fill('{"template_name": 7}')
  await form.getByRole('button', { name: 'Send' }).click()
  const response = form.getByRole('region', { name: 'Response' })
  await response.getByText('"Not a valid string."').waitFor()
  await form.getByLabel('Request body').fill('{"template_name": "From the page", "css": ""}')
  await form.getByRole('button', { name: 'Send' }).press('Enter')
  await response.getByText('201', { exact: false }).first().waitFor()
  await response.getByText('"template_name": "From the page"').waitFor()
  expect(await findAxeViolations(admin)).toEqual([])
  const stored = await admin.request.get('/api/v1/css_template/?q=(columns:!(template_name))')
  expect(await stored.json()).toMatchObject({ result: [{ template_name: 'From the page' }] })
  expect([...hosts]).toEqual([new URL(product.url).host])
})

it('another sign-in needs a code, and ends when it is signed out from the list of sessions', async () => {
  const phone = await (await browser.newContext({ baseURL: product.url, userAgent: 'Phone/1.0' })).newPage()
  await phone.goto('/login/?next=/user_info/')
  await phone.getByLabel('Username').fill('nia')
  await phone.getByRole('textbox', { name: 'Password' }).fill(password)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.getByLabel('Code', { exact: true }).fill('000000')
  expect(await findAxeViolations(phone)).toEqual([])
  expect((await phone.request.get('/api/v1/me/')).status()).toBe(401)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.getByText('This code is not correct, or it was already used.').waitFor()
  await phone.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '')
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.waitForURL((url) => url.pathname === '/user_info/')
  expect((await phone.request.get('/api/v1/me/')).status()).toBe(200)

  await nia.reload()
  await section('Second factor').getByText('9 recovery codes left').waitFor()
  await section('Sessions').getByRole('button', { name: 'Sign out Phone' }).click()
  await expect.poll(() => section('Sessions').getByRole('listitem').count()).toBe(1)
  expect((await phone.request.get('/api/v1/me/')).status()).toBe(401)
  expect((await nia.request.get('/api/v1/me/')).status()).toBe(200)
  expect(await findAxeViolations(nia)).toEqual([])
})
