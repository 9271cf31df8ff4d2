import type { KyselyPlugin } from 'kysely'

/** Loses the store at a statement; counts the statements otherwise. */
export class Interruption implements KyselyPlugin {
  statements = 0
  readonly #at: number
  constructor(at = Number.POSITIVE_INFINITY) {
    this.#at = at
  }
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    if (++this.statements === this.#at) throw new Error('The store is gone.')
    return node
  }
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result
}
