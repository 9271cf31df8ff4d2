import { parseArgs } from 'node:util'

export interface TestArgs {
  mayInstall: boolean
  /** Number of runs of the selected tests. If it is more than one, all cores are kept busy. */
  repeat: number
  /** Paths of test files, or parts of them. */
  files: readonly string[]
  /** Files and options that are passed to Vitest unchanged. */
  forVitest: readonly string[]
}

/** @throws Error when `--repeat` is not followed by a whole number from 1 to 100 */
export function parseTestArgs(args: readonly string[]): TestArgs {
  const { tokens, values } = parseArgs({
    args: [...args],
    options: { install: { type: 'boolean', default: false }, repeat: { type: 'string', default: '1' } },
    strict: false,
    tokens: true,
  })
  const repeat = typeof values.repeat === 'string' ? Number(values.repeat) : 0
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > 100)
    throw new Error('--repeat must be a whole number from 1 to 100, for example --repeat 5')
  const own = new Set<number>()
  for (const token of tokens)
    if (token.kind === 'option' && ['install', 'repeat'].includes(token.name)) {
      own.add(token.index)
      if (token.name === 'repeat' && !token.inlineValue) own.add(token.index + 1)
    }
  const forVitest = args.filter((_, index) => !own.has(index))
  return {
    mayInstall: values.install === true,
    repeat,
    files: forVitest.filter((arg) => !arg.startsWith('-')),
    forVitest,
  }
}
