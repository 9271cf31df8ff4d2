import { openBrowser, signedIn } from '../apps/web/journeys/browser.ts'
import { signIn } from '../apps/web/journeys/product.ts'
const url = 'http://127.0.0.1:9311'
const browser = await openBrowser()
const client = await signIn(url, 'admin', 'admin12345678')
const page = await signedIn(browser, url, { username: 'admin', password: 'admin12345678' } as never)
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text().slice(0, 300)))
page.on('pageerror', (e) => console.log('pageerror', e.message))
page.on('response', (r) => r.status() >= 400 && console.log(r.status(), r.url()))
const ds = (await client.get('/api/v1/dataset/?q=(page_size:100)')).body.result
const flights = ds.find((d) => d.table_name === 'flights')
console.log(ds.map((d) => d.table_name).join(' '))
let made = (
  await client.post('/api/v1/dataset/', {
    database: flights.database.id,
    table_name: 'virt' + Date.now(),
    sql: 'select * from flights',
    schema: flights.schema,
  })
).body
console.log(JSON.stringify(made).slice(0, 200))
const t0 = Date.now()
await page.goto(`/explore/?datasource_type=table&datasource_id=${made.id}`)
await page.getByRole('list', { name: 'First pictures' }).waitFor({ timeout: 60000 })
console.log('list', Date.now() - t0)
await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 60000 })
console.log('all', Date.now() - t0)
await page.screenshot({ path: '/tmp/q5.png' })
await page.getByRole('button', { name: /^Go on with Share/ }).click()
await page.waitForTimeout(1500)
await page.screenshot({ path: '/tmp/q6.png' })
const d = await browser.newContext({
  baseURL: url,
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  storageState: await page.context().storageState(),
})
const m = await d.newPage()
await m.goto('/superset/dashboard/penguins/')
await m.locator('figure').first().waitFor()
await m.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
const plot = m.locator('figure[aria-label="Penguins by species"]').locator('[role=figure]')
const go = async (name, file) => {
  await plot.focus()
  await m.keyboard.press('ArrowRight')
  await m.keyboard.press('d')
  for (const n of name) await m.getByRole('menuitem', { name: n }).click()
  await m.waitForTimeout(1800)
  await m.screenshot({ path: file })
  await m.keyboard.press('Escape')
}
await go(['Drill to rows'], '/tmp/q7.png')
await go(['Drill by', 'Sex'], '/tmp/q8.png')
await m.setViewportSize({ width: 1440, height: 900 })
await go(['Drill by', 'Body mass (g)'], '/tmp/q9.png')
await browser.close()
