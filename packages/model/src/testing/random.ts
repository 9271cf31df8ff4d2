export interface Random {
  (): number
  int(below: number): number
  pick<T>(list: readonly T[]): T
}

/** Reproducible numbers from a seed (mulberry32), so that a failing case can be run again. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return Object.assign(next, { int, pick: <T>(list: readonly T[]): T => list[int(list.length)]! })
}

function readNumber(variable: string): number | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const value = process?.env[variable]
  return value === undefined ? undefined : Number(value)
}

/**
 * Seeds of the cases of a property. `PARQUETRY_TEST_CASES` asks for another number of them, and `PARQUETRY_TEST_SEED` for another
 * first one.
 */
export function listSeeds(count: number): number[] {
  const first = readNumber('PARQUETRY_TEST_SEED') ?? 1
  return Array.from({ length: readNumber('PARQUETRY_TEST_CASES') ?? count }, (_, index) => first + index)
}

/** The same in groups of at most `size`, for cases that share a table or a file. */
export function groupSeeds(count: number, size: number): number[][] {
  const seeds = listSeeds(count)
  return Array.from({ length: Math.ceil(seeds.length / size) }, (_, index) =>
    seeds.slice(index * size, (index + 1) * size),
  )
}

/** How to run one case alone. */
export const nameCase = (seed: number): string => `PARQUETRY_TEST_SEED=${seed} PARQUETRY_TEST_CASES=1`

/** Checks a property on each seed. The error of a case says how to run it alone. */
export async function checkCases(
  count: number,
  check: (random: Random, seed: number) => Promise<void> | void,
): Promise<void> {
  for (const seed of listSeeds(count))
    try {
      await check(createRandom(seed), seed)
    } catch (error) {
      if (error instanceof Error) error.message = `${nameCase(seed)}: ${error.message}`
      throw error
    }
}
