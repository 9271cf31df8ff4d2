import { afterEach, expect, it } from 'vitest'
import { buildScopedSheet } from './scoped-css.ts'

afterEach(() => {
  document.adoptedStyleSheets = []
  document.body.replaceChildren()
})

/** An app frame with the grid of a dashboard in it. */
function page(css: string): { inside: HTMLElement; outside: HTMLElement; grid: HTMLElement } {
  document.body.innerHTML =
    '<header class="tile">frame</header><div style="contain: layout paint; width: 300px; height: 100px"><div class="dashboard-content"><p class="tile">tile</p></div></div>'
  document.adoptedStyleSheets = [buildScopedSheet(css, 'dashboard-content')]
  const find = (selector: string) => document.querySelector<HTMLElement>(selector)!
  return { inside: find('p.tile'), outside: find('header'), grid: find('.dashboard-content') }
}

it('applies inside the grid only', () => {
  const { inside, outside } = page('.tile { color: rgb(1, 2, 3) } @media (min-width: 1px) { .tile { margin: 7px } }')
  expect(getComputedStyle(inside).color).toBe('rgb(1, 2, 3)')
  expect(getComputedStyle(inside).margin).toBe('7px')
  expect(getComputedStyle(outside).color).not.toBe('rgb(1, 2, 3)')
})

it.each([
  ['a brace that ends the scope', '} .tile { color: rgb(1, 2, 3) } @scope (.dashboard-content) {'],
  ['the page itself', 'html, body, header { color: rgb(1, 2, 3) } :root { color: rgb(1, 2, 3) }'],
  ['an unfinished rule', '.x { color: red; } .tile { color: rgb(1, 2, 3'],
  [
    'an import',
    '@import url("https://evil.example/x.css"); @font-face { font-family: Inter; src: url(https://evil.example) }',
  ],
  [
    'an animation of everybody',
    '@keyframes spin { to { color: rgb(1, 2, 3) } } @property --x { syntax: "*"; inherits: true }',
  ],
])('hostile: %s does not reach the frame', (_, css) => {
  const { outside } = page(css)
  expect(getComputedStyle(outside).color).not.toBe('rgb(1, 2, 3)')
  const text = [...(document.adoptedStyleSheets[0]?.cssRules ?? [])].map((rule) => rule.cssText).join('')
  expect(text).not.toMatch(/evil|keyframes|@property|@font-face|@import/)
})

it('hostile: fixed positioning stays in the box of the grid', () => {
  const { inside } = page('.tile { position: fixed; inset: 0; z-index: 99999 } :scope { position: fixed; inset: 0 }')
  const { width, height } = inside.getBoundingClientRect()
  expect([width <= 300, height <= 100]).toEqual([true, true])
})
