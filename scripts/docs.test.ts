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

it('every document that the code names exists', () => {
  const missing = globSync('{apps,packages,scripts}/**/*.{ts,tsx,mjs,css}', {
    exclude: ['**/node_modules', '**/dist'],
  }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[\w.][\w./-]*\.md\b/g)]
      .filter(([path]) => !existsSync(path) && !existsSync(join(dirname(file), path)))
      .map(([path]) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})
