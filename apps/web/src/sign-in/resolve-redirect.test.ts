import { expect, it } from 'vitest'
import { resolveRedirect } from './resolve-redirect.ts'

it.each([
  ['/superset/dashboard/1/?native_filters=(a:1)', '/superset/dashboard/1/?native_filters=(a:1)'],
  [undefined, '/superset/welcome/'],
  ['//evil.example/', '/superset/welcome/'],
  ['/\t/evil.example/', '/superset/welcome/'],
  ['/.//evil.example/', '/superset/welcome/'],
])('regression: signing in leads only to addresses of this server: %j', (next, target) => {
  expect(resolveRedirect(next)).toBe(target)
})
