import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('regression: inserting an element does not restyle everything in the page', () => {
  // A sibling rule for any element makes browsers check all elements around each new one: a scrolled grid took 8 ms a step.
  const rules = globSync('{apps,packages}/*/src/**/*.css').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /[+~]\s*(\*|:(?!:))/.test(line) && /[{,]\s*$/.test(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(rules).toEqual([])
})
