import { pathsOf, pagePaths, type PageName } from '@parquetry/model/page-paths'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Page } from '../shared/page.ts'

const areas = import.meta.glob<{ pages: readonly Page[] }>('../*/pages.ts', { eager: true })
const shown = Object.values(areas).flatMap(({ pages }) => pages.map(({ name }) => name))

it('each page that the server serves has exactly one route in the web app', () => {
  expect(new Set(shown)).toEqual(new Set(Object.keys(pagePaths)))
  expect(shown).toHaveLength(new Set(shown).size)
})

const addresses = (Object.keys(pagePaths) as PageName[]).flatMap(pathsOf)
const isPage = (link: string): boolean =>
  addresses.some((address) => new RegExp(`^${address.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`).test(link))

/** Paths in the source lines that link or navigate, up to `?`; each interpolated value becomes a 1. */
const findLinks = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) => /href|\bgo\(|\.assign\(/i.test(line))
    .map((line) => line.replace(/\$\{[^}]*\}/g, '1'))
    .flatMap((line) => [...line.matchAll(/(?<=['"`])\/[\w/-]*/g)].map(([link]) => link))

/** File downloads, and signing out, which redirects. */
const isNoPage = (link: string): boolean => link.startsWith('/api/') || link === '/logout/'

it('every link in the web app leads to a page', () => {
  const links = globSync('apps/web/src/**/*.{ts,tsx}').flatMap((file) =>
    findLinks(readFileSync(file, 'utf8')).map((link) => ({ file, link })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ link }) => !isPage(link) && !isNoPage(link))).toEqual([])
})
