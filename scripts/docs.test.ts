import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]

it('every path that the documents name exists', () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\b(?:apps|packages|scripts|messages|docs)\/[\w./<>-]*[\w>/]/g)]
      .map(([path]) => path)
      .filter((path) => !path.includes('<') && !existsSync(path))
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})

it('every link of the documents leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('http') && !existsSync(join(dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

it('every decision that the code names exists', () => {
  const named = globSync('{apps,packages,scripts}/**/*.{ts,tsx,mjs}', {
    exclude: ['**/node_modules', '**/dist'],
  }).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/docs\/decisions\/[\w-]+\.md/g)].map(([path]) => path))
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
