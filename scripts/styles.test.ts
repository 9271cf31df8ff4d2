import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('regression: whatever was put into a page, everything in it was styled anew', () => {
  // A rule for any element behind another makes browsers look at all elements around each new one: a scrolled grid took 8 ms a step.
  const rules = globSync('{apps,packages}/*/src/**/*.css').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /[+~]\s*(\*|:(?!:))/.test(line) && /[{,]\s*$/.test(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(rules).toEqual([])
})
