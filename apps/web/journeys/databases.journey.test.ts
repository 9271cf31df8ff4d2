import { startPasswordProxy, type PasswordProxy } from '@parquetry/testing/password-proxy'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFindings, openBrowser, signedIn } from './browser.ts'
import { startProduct, type Product } from './product.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const secret = 'a l0ng word'

let product: Product
let browser: Browser
let page: Page
beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0', SUPERSET_FEATURE_SSH_TUNNELING: '1' } })
  browser = await openBrowser()
  page = await signedIn(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const dialog = (name = 'PostgreSQL') => page.getByRole('dialog', { name })
const field = (name: string): Locator => dialog().getByRole('textbox', { name: new RegExp(`^${name}\\b`) })
const button = (name: string, of = dialog()): Locator => of.getByRole('button', { name, exact: true })
const open = async (): Promise<void> => {
  await page.goto('/databaseview/list/?show_database_modal=true')
  await page.getByRole('dialog').getByRole('button', { name: 'PostgreSQL' }).click()
  await dialog().waitFor()
}

describe('the dialog', () => {
  it('LIST-009: is where the empty list leads to', async () => {
    await page.route(/\/api\/v1\/database\/\?/, (route) => route.fulfill({ json: { count: 0, ids: [], result: [] } }))
    await page.goto('/databaseview/list/')
    await page.getByRole('main').getByRole('link', { name: 'Connect a database' }).click()
    await dialog('Connect a database').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog('Connect a database').waitFor({ state: 'detached' })
  })

  it('finds an engine by typing, and opens it by Enter', async () => {
    await page.goto('/databaseview/list/?show_database_modal=true')
    const search = dialog('Connect a database').getByRole('textbox')
    await search.fill('nobody knows it')
    await page.getByText('No engine of this name is built in.').waitFor()
    await search.fill('oracle://a:b@c/d')
    await page.getByText('This server has no engine for such a connection string.').waitFor()
    await search.fill('postgr')
    await search.press('Enter')
    await dialog().waitFor()
    expect(await dialog().getByRole('spinbutton', { name: /^Port/ }).inputValue()).toBe('5432')
  })

  it('DB-004: a field that is missing says so when it is left, and all of them when one connects', async () => {
    await open()
    await field('Host').focus()
    await page.keyboard.press('Tab')
    await dialog().getByText('This is a required field').waitFor()
    expect(await field('Host').getAttribute('aria-invalid')).toBe('true')
    await button('Connect').click()
    await expect.poll(() => dialog().getByText('This is a required field').count()).toBe(3)
    expect(await axeFindings(page)).toEqual([])
  })

  it('DB-003: what the server finds wrong with a field stands at the field, when the field is left', async () => {
    await open()
    await field('Database').fill('nothing')
    await field('User').fill('me')
    await field('Host').fill('nobody.invalid')
    await page.keyboard.press('Tab')
    await dialog().getByText('The host name cannot be resolved.').waitFor()
    expect(await field('Host').getAttribute('aria-invalid')).toBe('true')
    await field('Host').fill('127.0.0.1')
    await dialog().getByText('The host name cannot be resolved.').waitFor({ state: 'detached' })
  })

  it('DB-001: a failed test shows how far it came, what failed and what to do, and the form stays', async () => {
    await open()
    await field('Host').fill('127.0.0.1')
    await dialog().getByRole('spinbutton', { name: /^Port/ }).fill('9')
    await field('Database').fill('nothing')
    await field('User').fill('me')
    await button('Test connection').click()
    await dialog().getByText('ERROR: Connection failed, please check your connection settings').waitFor()
    await dialog()
      .getByText(/Nothing answers there/)
      .waitFor()
    await dialog().getByRole('listitem').filter({ hasText: 'Reach the server' }).getByLabel('Failed').waitFor()
    expect(await field('Database').inputValue()).toBe('nothing')
    expect(await axeFindings(page)).toEqual([])
  })

  it('an SSH tunnel asks for what it needs, and its secrets are hidden', async () => {
    await open()
    await dialog().getByText('SSH tunnel', { exact: true }).click()
    await dialog().getByLabel('Reach the database through an SSH server').check()
    await button('Connect').click()
    await expect.poll(() => dialog().getByText('This is a required field').count()).toBe(6)
    expect(await dialog().getByLabel('SSH password').getAttribute('type')).toBe('password')
    expect(await axeFindings(page)).toEqual([])
  })
})

describe.skipIf(!url)('a PostgreSQL', () => {
  const real = new URL(url ?? 'postgresql://nobody@localhost/x')
  let proxy: PasswordProxy
  beforeAll(async () => {
    proxy = await startPasswordProxy({ host: real.hostname, port: Number(real.port) }, secret)
  })
  afterAll(() => proxy?.close())

  const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name })
  const menu = async (name: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }

  it('DB-002: connects by fields, after a wrong password was shown at its field', async () => {
    await open()
    await field('Name').fill('By fields')
    await field('Host').fill('127.0.0.1')
    await dialog().getByRole('spinbutton', { name: /^Port/ }).fill(String(proxy.port))
    await field('Database').fill(real.pathname.slice(1))
    await field('User').fill(real.username)
    await field('Password').fill('wrong')
    await button('Connect').click()
    await dialog()
      .getByText(/^ERROR: password authentication failed/)
      .waitFor()
    await expect.poll(() => field('Password').getAttribute('aria-invalid')).toBe('true')
    await field('Password').fill(secret)
    await button('Test connection').click()
    await dialog().getByText('Connection looks good!').waitFor()
    expect(await dialog().getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Reach the server\d+ ms$/),
      expect.stringMatching(/^Sign in\d+ ms$/),
      expect.stringMatching(/^List the schemas\d+ ms$/),
    ])
    await button('Connect').click()
    const done = dialog('By fields is connected')
    await done.getByText(/^\d+ schemas?, \d+ tables?$/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await done.getByRole('link', { name: 'Browse in SQL Lab' }).click()
    await page.waitForURL(/\/superset\/sqllab/)
  })

  it('connects by a pasted connection string, which fills the fields', async () => {
    await page.goto('/databaseview/list/?show_database_modal=true')
    const text = `postgresql://${real.username}:${encodeURIComponent(secret)}@127.0.0.1:${proxy.port}${real.pathname}`
    await dialog('Connect a database').getByRole('textbox').fill(text)
    await dialog().waitFor()
    expect(await field('Host').inputValue()).toBe('127.0.0.1')
    expect(await field('Password').inputValue()).toBe(secret)
    await field('Name').fill('By text')
    await field('Name').press('Enter')
    await dialog('By text is connected').waitFor()
    await page.keyboard.press('Escape')
    await row('By text').getByText('Worked').waitFor()
  })

  it('is edited without its password, which is never shown and stays', async () => {
    await page.goto('/databaseview/list/')
    await menu('By fields', 'Edit')
    const edit = dialog('Edit By fields')
    const password = edit.getByRole('textbox', { name: /^Password/ })
    expect([await password.inputValue(), await password.getAttribute('placeholder')]).toEqual(['', '••••••••'])
    await edit.getByRole('textbox', { name: /^Name/ }).fill('Renamed')
    await edit.getByText('SQL Lab', { exact: true }).click()
    await edit.getByLabel('Allow statements that change data').check()
    expect(await axeFindings(page)).toEqual([])
    await button('Save', edit).click()
    await edit.waitFor({ state: 'detached' })
    await row('Renamed').waitFor()
    await menu('Renamed', 'Test connection')
    await page.getByText('Connection looks good!').waitFor()
    await menu('Renamed', 'Edit')
    const again = dialog('Edit Renamed')
    await again.getByText('SQL Lab', { exact: true }).click()
    expect(await again.getByLabel('Allow statements that change data').isChecked()).toBe(true)
    await again.getByRole('textbox', { name: /^User/ }).fill('somebody')
    await button('Save', again).click()
    await again.getByText('ERROR: The password must be given again').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  it('goes by its typed name only', async () => {
    await page.goto('/databaseview/list/')
    for (const name of ['Renamed', 'By text']) {
      await menu(name, 'Delete')
      const question = page.getByRole('alertdialog', { name: `Delete database ${name}?` })
      expect(await question.getByRole('button', { name: 'Delete database' }).isEnabled()).toBe(false)
      await question.getByLabel(`Type ${name} to go on`).fill(name)
      await question.getByRole('button', { name: 'Delete database' }).click()
      await row(name).waitFor({ state: 'detached' })
    }
  })
})
