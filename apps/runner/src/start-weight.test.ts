import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** Prints the packages that are loaded with the module named by the argument. */
const script = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
      if (name) packages.add(name)
      return next(url, context)
    },
  })
  await import(process.argv[1])
  process.stdout.write([...packages].sort().join(' '))
`

it('a runner starts without the schema library and without a driver: it is started often, and there are several', () => {
  const args = ['--input-type=module', '--eval', script, fileURLToPath(new URL('runner.ts', import.meta.url))]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('buffer-crc32 pend saxes xmlchars yauzl yazl')
})
