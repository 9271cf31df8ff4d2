import { readFile } from 'node:fs/promises'
import { createZip } from '@parquetry/bundle'
import { startPasswordProxy, type PasswordProxy } from '@parquetry/testing/password-proxy'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dropFile } from './files.ts'
import { createApiClient, startProduct, type Product } from './product.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const secret = 'a l0ng word'

let product: Product
let browser: JourneyBrowser
let page: Page
beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  page = await openSignedInPage(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const dialog = (name = 'PostgreSQL') => page.getByRole('dialog', { name })
const field = (name: string): Locator => dialog().getByRole('textbox', { name: new RegExp(`^${name}\\b`) })
const button = (name: string, of = dialog()): Locator => of.getByRole('button', { name, exact: true })
/** Navigates to a URL as a link of the page would, and loads the page only if there is none yet. */
const follow = async (address: string): Promise<void> => {
  if (page.url().startsWith(product.url)) await page.evaluate((to) => history.pushState({}, '', to), address)
  else await page.goto(address)
}
/** Opens the dialog that connects a database, with empty fields. */
const openDialog = async (): Promise<void> => {
  await follow('/databaseview/list/')
  await page.getByRole('heading', { level: 1, name: 'Databases' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await follow('/databaseview/list/?show_database_modal=true')
}
const open = async (): Promise<void> => {
  await openDialog()
  await page.getByRole('dialog').getByRole('button', { name: 'PostgreSQL' }).click()
  await dialog().waitFor()
}

describe('the dialog', () => {
  it('LIST-009: is linked from the empty list', async () => {
    await intercept(page, /\/api\/v1\/database\/\?/, (route) =>
      route.fulfill({ json: { count: 0, ids: [], result: [] } }),
    )
    await page.goto('/databaseview/list/')
    await page.getByRole('main').getByRole('link', { name: 'Connect a database' }).click()
    await dialog('Connect a database').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog('Connect a database').waitFor({ state: 'detached' })
  })

  it('finds an engine by typing, and opens it with Enter', async () => {
    await openDialog()
    const search = dialog('Connect a database').getByRole('textbox')
    await search.fill('nobody knows it')
    await page.getByText('No database engine matches your search.').waitFor()
    await search.fill('oracle://a:b@c/d')
    await page.getByText('No supported database engine matches this connection string.').waitFor()
    await search.fill('postgr')
    await search.press('Enter')
    await dialog().waitFor()
    await expect.poll(() => dialog().getByRole('spinbutton', { name: /^Port/ }).inputValue()).toBe('5432')
  })

  it('DB-004: marks a missing field when it loses the focus, and all missing fields on Connect', async () => {
    await open()
    await field('Host').focus()
    await page.keyboard.press('Tab')
    await dialog().getByText('This is a required field').waitFor()
    expect(await field('Host').getAttribute('aria-invalid')).toBe('true')
    await button('Connect').click()
    await expect.poll(() => dialog().getByText('This is a required field').count()).toBe(3)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('DB-003: shows server validation errors at a field when it loses the focus', async () => {
    await open()
    await field('Database').fill('nothing')
    await field('Username').fill('me')
    await field('Host').fill('nobody.invalid')
    await page.keyboard.press('Tab')
    await dialog().getByText('The hostname could not be resolved.').waitFor()
    expect(await field('Host').getAttribute('aria-invalid')).toBe('true')
    await field('Host').fill('127.0.0.1')
    await dialog().getByText('The hostname could not be resolved.').waitFor({ state: 'detached' })
  })

  it('DB-001: a failed test shows how far it got, what failed and what to do, and the form stays', async () => {
    await open()
    await field('Host').fill('127.0.0.1')
    await dialog().getByRole('spinbutton', { name: /^Port/ }).fill('9')
    await field('Database').fill('nothing')
    await field('Username').fill('me')
    await button('Test connection').click()
    await dialog().getByText('ERROR: Connection failed, please check your connection settings').waitFor()
    await dialog()
      .getByText(/No PostgreSQL server responded at this address/)
      .waitFor()
    await dialog().getByRole('listitem').filter({ hasText: 'Reach the server' }).getByLabel('Failed').waitFor()
    expect(await field('Database').inputValue()).toBe('nothing')
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('an SSH tunnel requires its fields, and its secrets are hidden', async () => {
    await open()
    await dialog().getByText('SSH tunnel', { exact: true }).click()
    await dialog().getByLabel('Connect through an SSH server').check()
    await button('Connect').click()
    await expect.poll(() => dialog().getByText('This is a required field').count()).toBe(6)
    expect(await dialog().getByLabel('SSH password').getAttribute('type')).toBe('password')
    expect(await findAxeViolations(page)).toEqual([])
  })
})

describe.skipIf(!url)('a PostgreSQL database', () => {
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

  it('DB-002: connects by fields, after a wrong password is shown at its field', async () => {
    await open()
    await field('Name').fill('By fields')
    await field('Host').fill('127.0.0.1')
    await dialog().getByRole('spinbutton', { name: /^Port/ }).fill(String(proxy.port))
    await field('Database').fill(real.pathname.slice(1))
    await field('Username').fill(real.username)
    await field('Password').fill('wrong')
    await button('Connect').click()
    await dialog()
      .getByText(/^ERROR: password authentication failed/)
      .waitFor()
    await expect.poll(() => field('Password').getAttribute('aria-invalid')).toBe('true')
    await field('Password').fill(secret)
    await button('Test connection').click()
    await dialog().getByText('Connection looks good!').waitFor()
    await dialog()
      .getByText(/The account is a superuser/)
      .waitFor()
    expect(await dialog().getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Reach the server\d+ ms$/),
      expect.stringMatching(/^Sign in\d+ ms$/),
      expect.stringMatching(/^List schemas\d+ ms$/),
    ])
    await button('Connect').click()
    const done = dialog('By fields is connected')
    await done.getByText(/^\d+ schemas?, \d+ tables?$/).waitFor()
    await button('Manage access', done).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await done.getByRole('link', { name: 'Browse in SQL Lab' }).click()
    await page.waitForURL(/\/superset\/sqllab/)
  })

  it('shows who may read it, and gives roles access', async () => {
    await follow('/databaseview/list/')
    await menu('By fields', 'Manage access')
    const roles = dialog('Manage access')
    expect(await roles.getByLabel('Admin').isDisabled()).toBe(true)
    expect(await roles.getByLabel('Gamma').isChecked()).toBe(false)
    await roles.getByText('Users who are not signed in').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await roles.getByLabel('Gamma').check()
    await button('Save', roles).click()
    await page.getByText('Access updated').waitFor()
    await menu('By fields', 'Manage access')
    await expect.poll(() => roles.getByLabel('Gamma').isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await roles.waitFor({ state: 'detached' })
  })

  it('connects by a pasted connection string, which fills the fields', async () => {
    await openDialog()
    const text = `postgresql://${real.username}:${encodeURIComponent(secret)}@127.0.0.1:${proxy.port}${real.pathname}`
    await dialog('Connect a database').getByRole('textbox').fill(text)
    await dialog().waitFor()
    await expect.poll(() => field('Host').inputValue()).toBe('127.0.0.1')
    await expect.poll(() => field('Password').inputValue()).toBe(secret)
    await field('Name').fill('By text')
    await field('Name').press('Enter')
    await dialog('By text is connected').waitFor()
    await page.keyboard.press('Escape')
    await row('By text').getByText('Passed').waitFor()
  })

  it('is edited without its password, which is never shown and stays unchanged', async () => {
    await follow('/databaseview/list/')
    await menu('By fields', 'Edit')
    const edit = dialog('Edit By fields')
    const password = edit.getByRole('textbox', { name: /^Password/ })
    expect([await password.inputValue(), await password.getAttribute('placeholder')]).toEqual(['', '••••••••'])
    await edit.getByRole('textbox', { name: /^Name/ }).fill('Renamed')
    await edit.getByText('SQL Lab', { exact: true }).click()
    await edit.getByLabel('Allow statements that change data').check()
    expect(await findAxeViolations(page)).toEqual([])
    await button('Save', edit).click()
    await edit.waitFor({ state: 'detached' })
    await row('Renamed').waitFor()
    await menu('Renamed', 'Test connection')
    await page.getByText('Connection looks good!').waitFor()
    await menu('Renamed', 'Edit')
    const again = dialog('Edit Renamed')
    await again.getByText('SQL Lab', { exact: true }).click()
    await expect.poll(() => again.getByLabel('Allow statements that change data').isChecked()).toBe(true)
    await again.getByRole('textbox', { name: /^Username/ }).fill('somebody')
    await button('Save', again).click()
    await again.getByText('ERROR: Enter the password again').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  /** Path of the file that `action` downloads. */
  const downloaded = async (action: Promise<void>): Promise<string> =>
    (await Promise.all([page.waitForEvent('download'), action]))[0].path()
  const importing = async (list: string, file: string): Promise<Locator> => {
    await follow(list)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const open = page.getByRole('dialog', { name: /^Import / })
    await open.locator('input[type=file]').setInputFiles(file)
    return open
  }

  it('LIST-007, LIST-019, LIST-023: saved queries are exported as a bundle and imported again, with objects that the server lacks', async () => {
    const session = await createApiClient(product.url, 'admin')
    const { body } = await session.get('/api/v1/database/')
    const known = body.result as { id: number; database_name: string }[]
    const db_id = known.find(({ database_name }) => database_name === 'By text')?.id
    for (const label of ['Oats', 'Barley'])
      await session.post('/api/v1/saved_query/', { label, sql: `SELECT '${label}'`, db_id })
    await follow('/savedqueryview/list/')
    const selectBoth = async (): Promise<void> => {
      for (const label of ['Oats', 'Barley']) await page.getByRole('checkbox', { name: `Select ${label}` }).check()
    }
    await selectBoth()
    const file = await downloaded(
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click(),
    )

    let open = await importing('/savedqueryview/list/', file)
    await open.getByText('Everything in this file is already here. There is nothing to import.').waitFor()
    expect(await button('Import', open).getAttribute('aria-disabled')).toBe('true')
    expect(await findAxeViolations(page)).toEqual([])
    await button('Cancel', open).click()
    await button('Cancel', open).waitFor({ state: 'detached' })

    await selectBoth()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('No saved queries yet').waitFor()
    await follow('/databaseview/list/')
    await menu('By text', 'Delete')
    await page.getByLabel('Type By text to confirm').fill('By text')
    await page.getByRole('button', { name: 'Delete database' }).click()
    await row('By text').waitFor({ state: 'detached' })

    open = await importing('/savedqueryview/list/', file)
    await open.getByLabel(/^Password for By text/).fill(secret)
    expect(await findAxeViolations(page)).toEqual([])
    await button('Import 3 objects', open).click()
    await page.getByText('Created: 2 saved queries, 1 database').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Select Barley' }).waitFor()
    await follow('/databaseview/list/')
    await menu('By text', 'Test connection')
    await page.getByText('Connection looks good!').waitFor()
  })

  it('LIST-007: a bundle that is dropped anywhere is imported by the call of its kind, any other file is uploaded', async () => {
    await follow('/savedqueryview/list/')
    await page.getByRole('checkbox', { name: 'Select Oats' }).check()
    const file = await downloaded(
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click(),
    )
    await follow('/databaseview/list/')
    await dropFile(page, 'from a colleague.zip', await readFile(file))
    const open = page.getByRole('dialog', { name: 'Import from a colleague.zip' })
    await open.getByText('Everything in this file is already here. There is nothing to import.').waitFor()
    await button('Cancel', open).click()
    await button('Cancel', open).waitFor({ state: 'detached' })

    await dropFile(
      page,
      'other.zip',
      await createZip(new Map([['notes.txt', Buffer.from('Not a bundle')]]), new Date(0)),
    )
    const upload = page.getByRole('dialog', { name: /^Add other.zip/ })
    await upload.getByText('This ZIP file is not an export of dashboards or charts', { exact: false }).waitFor()
    await button('Cancel', upload).click()
  })

  it('LIST-032: a file that is not a bundle is rejected with a message, and nothing is imported', async () => {
    const open = await importing('/savedqueryview/list/', import.meta.filename)
    await open
      .getByText(
        'An error occurred while importing saved query: The file is neither a ZIP archive nor an export in JSON or YAML.',
      )
      .waitFor()
    await open.getByText('Please re-export your file and try importing again').waitFor()
    await page.keyboard.press('Escape')
  })

  it('cannot be deleted while datasets use it, and shows what depends on it', async () => {
    const session = await createApiClient(product.url, 'admin')
    const { body } = await session.get('/api/v1/database/')
    const known = body.result as { id: number; database_name: string }[]
    const database = known.find(({ database_name }) => database_name === 'By text')?.id
    const dataset = { database, schema: 'public', table_name: 'used', sql: 'SELECT 1 AS a' }
    const made = await session.post('/api/v1/dataset/', dataset)
    expect(made.status).toBe(201)
    await follow('/databaseview/list/')
    await menu('By text', 'Delete')
    await page
      .getByText('There was an issue deleting By text: 1 dataset uses it, with 0 charts on 0 dashboards.')
      .first()
      .waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await session.delete(`/api/v1/dataset/${made.body.id}`)
  })

  it('is deleted only after its name is typed', async () => {
    await follow('/databaseview/list/')
    for (const name of ['Renamed', 'By text']) {
      await menu(name, 'Delete')
      const question = page.getByRole('alertdialog', { name: `Delete database ${name}?` })
      expect(await question.getByRole('button', { name: 'Delete database' }).isEnabled()).toBe(false)
      await question.getByLabel(`Type ${name} to confirm`).fill(name)
      await question.getByRole('button', { name: 'Delete database' }).click()
      await row(name).waitFor({ state: 'detached' })
    }
  })
})
